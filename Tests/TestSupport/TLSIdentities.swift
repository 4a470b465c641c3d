package import HTTPServer

/// The certificates and keys of TLS test servers, and of the authority that signed them. The keys protect nothing.
///
/// They are valid from 2020 to 2126, the expired one to 2021. These commands created them:
///
///     openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out NAME.key.pem
///     openssl req -new -key NAME.key.pem -subj "/CN=Amber test: NAME" -out NAME.csr
///     openssl ca -batch -notext -config ca.cnf -extensions EXTENSIONS -startdate 20200101000000Z -enddate
///     21260101000000Z \
///         -cert authority.pem -keyfile authority.key.pem -in NAME.csr -out NAME.pem
///
/// For an authority: `-selfsign` instead of `-cert`, with the extensions `basicConstraints = critical, CA:TRUE` and
/// `keyUsage = critical, keyCertSign`. For a server: `basicConstraints = critical, CA:FALSE` and
/// `subjectAltName = DNS:localhost, IP:127.0.0.1`.
package enum TLSIdentities {
    /// Valid for 127.0.0.1 and localhost.
    package static let good: TLSIdentity = (
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBqjCCAVCgAwIBAgIUWUviJStt5lQva1x364I3mWfk8lQwCgYIKoZIzj0EAwIw
        HzEdMBsGA1UEAwwUQW1iZXIgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyNjAxMDEwMDAwMDBaMBsxGTAXBgNVBAMMEEFtYmVyIHRlc3Q6IGdvb2Qw
        WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARTNN/2GYBVAc5MZ2dxDatUCMklGD7L
        gEK19XDawzzpUFss8zRxESiiOlpN2ZtlPjxx5BHU3LMeQK57pa+OncA+o2wwajAM
        BgNVHRMBAf8EAjAAMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4E
        FgQUta5xf5oEYENU/c/pAJ2EdX0JzBAwHwYDVR0jBBgwFoAUALr7Po+AxuSYs8gO
        pQKIU23idfIwCgYIKoZIzj0EAwIDSAAwRQIgWk6RRs2sC/I55n1j0h4A8Krr26dE
        X0IpkpNMMlHK/8oCIQCMID8k8bukLTZYzwzDh6I1nHyxwcR4CanzeM1k7rN/RQ==
        -----END CERTIFICATE-----
        """,
        key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3PjFmz1Z7+J6bJOU
        sG4XVC8Sw9NCxV3zxyFbGyrHSqahRANCAARTNN/2GYBVAc5MZ2dxDatUCMklGD7L
        gEK19XDawzzpUFss8zRxESiiOlpN2ZtlPjxx5BHU3LMeQK57pa+OncA+
        -----END PRIVATE KEY-----
        """
    )

    /// Expired in 2021.
    package static let expired: TLSIdentity = (
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBqzCCAVGgAwIBAgIUIeBw1/IlPEAVWwMO6pDl7cswNyswCgYIKoZIzj0EAwIw
        HzEdMBsGA1UEAwwUQW1iZXIgdGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAw
        WhcNMjEwMTAxMDAwMDAwWjAeMRwwGgYDVQQDDBNBbWJlciB0ZXN0OiBleHBpcmVk
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEUeOOObtTNlkQJZTZySM0nstteft6
        H839RG+U2W/cjASN4VwaR31zi8L7OUE5R9hO2Ux+N7J6xlOba+Q0GF7YRKNsMGow
        DAYDVR0TAQH/BAIwADAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0O
        BBYEFFTBeyaoQE78uCvsPpOHQ/9qV4PiMB8GA1UdIwQYMBaAFAC6+z6PgMbkmLPI
        DqUCiFNt4nXyMAoGCCqGSM49BAMCA0gAMEUCIHn9i0EQqtussiKntwweivlf6hmj
        5ajN4pSI2RnCn3v8AiEAoxMLAXplGNb/KLCUqw8aucMPLEbR+uOpihZZffp5TPk=
        -----END CERTIFICATE-----
        """,
        key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0TxN0eI+rJFMJh8f
        vr3/IgOys6QDsOBcPfP6v74+K0qhRANCAARR4445u1M2WRAllNnJIzSey215+3of
        zf1Eb5TZb9yMBI3hXBpHfXOLwvs5QTlH2E7ZTH43snrGU5tr5DQYXthE
        -----END PRIVATE KEY-----
        """
    )

    /// Valid only for elsewhere.example.
    package static let otherName: TLSIdentity = (
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBsDCCAVegAwIBAgIUID4DF6wOxLozYreK4vfEfZ4GFUYwCgYIKoZIzj0EAwIw
        HzEdMBsGA1UEAwwUQW1iZXIgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyNjAxMDEwMDAwMDBaMCAxHjAcBgNVBAMMFUFtYmVyIHRlc3Q6IG90aGVy
        TmFtZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIJDxN02LLaGcbAipxsapkKf
        VOpU9Piy4BYFJ78myLSIAUp8jnfop9zCoEooBRY/xh/V6JZ6eZvu/ePeT0sACHGj
        bjBsMAwGA1UdEwEB/wQCMAAwHAYDVR0RBBUwE4IRZWxzZXdoZXJlLmV4YW1wbGUw
        HQYDVR0OBBYEFEz3yQAE7J55e5ptdZT1+FyMo1hDMB8GA1UdIwQYMBaAFAC6+z6P
        gMbkmLPIDqUCiFNt4nXyMAoGCCqGSM49BAMCA0cAMEQCIBM3egxo4Fp9aUl/6ppz
        UW1o8A0kCWsBCQ2prXAJ1It4AiA8Myj0+sgABQcj376BT0ItnGuzVO7U5OLQYbcr
        uYerUQ==
        -----END CERTIFICATE-----
        """,
        key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgE6ycLI9Q/H1xkK9Q
        AcmNW9E+dVgZ4YwLiennTEt6SUOhRANCAASCQ8TdNiy2hnGwIqcbGqZCn1TqVPT4
        suAWBSe/Jsi0iAFKfI536KfcwqBKKAUWP8Yf1eiWenmb7v3j3k9LAAhx
        -----END PRIVATE KEY-----
        """
    )

    /// Signed by an authority that is not trusted.
    package static let unknownAuthority: TLSIdentity = (
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIByTCCAW+gAwIBAgIUeNcx7+aQGLukk7hCvVptN10WnX4wCgYIKoZIzj0EAwIw
        MjEwMC4GA1UEAwwnQW1iZXIgdGVzdCBhdXRob3JpdHkgdGhhdCBub2JvZHkgdHJ1
        c3RzMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjYwMTAxMDAwMDAwWjAnMSUwIwYDVQQD
        DBxBbWJlciB0ZXN0OiB1bmtub3duQXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEpijP9hr9Fpm4TPIQ0hGtJuxxWSAqe7fveFn3vmcsVwCGmOewC38Y
        IvVc/v8AqZPJ/jDvRcdbB1jPUBeD2Nvs36NsMGowDAYDVR0TAQH/BAIwADAaBgNV
        HREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYDVR0OBBYEFAggq0W+11B22XXeRH50
        YTLT8zDRMB8GA1UdIwQYMBaAFJiSxIaUoHI4p7bN6XgJ33A3gLuDMAoGCCqGSM49
        BAMCA0gAMEUCIQDUcuvPnYOW84pgcHI1QWoQ7BSNVWbpPMadNVu68cgBmgIgdqb0
        B/rcanHkQY83+pBt5psmJhJNwVZbbnRkfC3Ku0c=
        -----END CERTIFICATE-----
        """,
        key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYBeI/rch0QxB/H0V
        oCEYEtEJqh/MvnGQeEPqmhk4ro+hRANCAASmKM/2Gv0WmbhM8hDSEa0m7HFZICp7
        t+94Wfe+ZyxXAIaY57ALfxgi9Vz+/wCpk8n+MO9Fx1sHWM9QF4PY2+zf
        -----END PRIVATE KEY-----
        """
    )

    /// The certificate of the authority that signed all but `unknownAuthority`, as PEM.
    package static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBhDCCASqgAwIBAgIUNR9vXI/mvJ8S2fhLHRJOMe9nmvswCgYIKoZIzj0EAwIw
        HzEdMBsGA1UEAwwUQW1iZXIgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyNjAxMDEwMDAwMDBaMB8xHTAbBgNVBAMMFEFtYmVyIHRlc3QgYXV0aG9y
        aXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4HGTrTebHyoP6MH0WGhppJ/s
        s1nksuVs3kgGkGD1H3/aggZiEZElNBkeO2DYIU1yWSoNi/3vvyUUZDsw+TD+U6NC
        MEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFAC6
        +z6PgMbkmLPIDqUCiFNt4nXyMAoGCCqGSM49BAMCA0gAMEUCIQCq2S4yo2vufefe
        +vqz9CHKJvkcT1H+1eA+AQVeLBd0VAIgQKMRgGD+3V9sOVPUb6PuIz+8E6AUa/wa
        vkcP8ZRIqHU=
        -----END CERTIFICATE-----
        """
}
