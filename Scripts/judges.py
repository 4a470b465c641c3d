"""What the judges share: programs of others, installed on first use; Debian's with apt-get, PyPI's below .build/judges.

As a program it installs Debian's packages for the programs that are missing: judges.py PROGRAM=PACKAGE ... It starts no service.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JUDGES = os.path.join(ROOT, ".build", "judges")


# Asked whether a service may be started, the answer is no (invoke-rc.d(8)); where such an answer is given already, it stays.
UNSTARTED = (
    'p=/usr/sbin/policy-rc.d; [ -e $p ] || { printf "#!/bin/sh\\nexit 101\\n" >$p; chmod 755 $p; trap "rm -f $p" EXIT; }; ')


def install(packages, starting=True):
    """Installs Debian packages where that is possible; else prints the one command to type and ends.

    Without `starting`, services among them are not started, as Debian else does.
    """
    command = f"{'' if starting else UNSTARTED}apt-get update && apt-get install -y --no-install-recommends {packages}"
    if not shutil.which("apt-get"):
        sys.exit(f"These programs are missing; install your system's packages of: {packages}")
    sudo = []
    if os.geteuid() != 0:
        sudo = ["sudo", "-n"]
        if not shutil.which("sudo") or subprocess.run([*sudo, "true"], stderr=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"These programs are missing. Type this, then the same make again:\n    sudo sh -c '{command}'")
    print(f"installing {packages}", flush=True)
    quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run([*sudo, "sh", "-c", command], env=quietly, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"{packages} cannot be installed; what apt-get said is above.")


def install_missing(programs):
    """Installs the Debian packages of the programs that are missing, named {program: package}, and starts no service of them."""
    # Servers are in /usr/sbin, which a user's PATH may lack.
    os.environ["PATH"] = os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin"
    missing = [package for program, package in programs.items() if not shutil.which(program)]
    if missing:
        install(" ".join(missing), starting=False)


def environment(packages, wanted, options=()):
    """A Python environment of its own with pinned packages, made where it is not there yet.

    Returns the environment's folder; the file `wanted`, which one of the packages carries, lies directly in it.
    """
    named = " ".join(packages)
    folder = os.path.join(JUDGES, "+".join(packages).replace("==", "-"))
    link = os.path.join(folder, wanted)
    if os.path.exists(link):
        return folder
    if subprocess.run([sys.executable, "-c", "import ensurepip"], stderr=subprocess.DEVNULL).returncode != 0:
        install("python3-venv")
    print(f"installing {named} into {os.path.relpath(folder, ROOT)}", flush=True)
    pip = [os.path.join(folder, "bin", "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([*pip, "install", *options, *packages], check=True)
    except subprocess.CalledProcessError:
        sys.exit(f"{named} cannot be installed from PyPI; what pip said is above.")
    for parent, _, files in os.walk(folder):
        if wanted in files:
            # A link with a name of ours is made last, so that a broken installation is not taken for a whole one.
            os.symlink(os.path.join(parent, wanted), link)
            return folder
    sys.exit(f"{named} holds no {wanted} any more.")


if __name__ == "__main__":
    install_missing(dict(argument.split("=") for argument in sys.argv[1:]))
