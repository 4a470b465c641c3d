import Glibc

/// So many milliseconds from now, by the clock that a condition variable goes by (pthread_cond_timedwait(3)).
func deadline(in milliseconds: Int) -> timespec {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    let (seconds, rest) = (end.tv_nsec + milliseconds * 1_000_000).quotientAndRemainder(dividingBy: 1_000_000_000)
    end.tv_sec += seconds
    end.tv_nsec = rest
    return end
}
