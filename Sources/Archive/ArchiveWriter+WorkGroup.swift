import SQLite

extension ArchiveWriter {
    /// Work inside one transaction.
    struct WorkGroup: ~Copyable {
        private let connection: Connection
        private var jobs: [Job] = []
        private var hasPrompt = false
        /// As many are committed, however patient.
        private static let most = 256

        init(_ connection: Connection) {
            self.connection = connection
        }

        var isWaiting: Bool { !jobs.isEmpty }
        var isDue: Bool { hasPrompt || jobs.count >= Self.most }

        mutating func take(_ job: Job) {
            do {
                if jobs.isEmpty, job.urgency != .reading { try connection.execute("BEGIN IMMEDIATE") }
            } catch {
                return job.done(error)
            }
            do {
                try job.work(connection)
            } catch {
                guard job.urgency != .reading else { return job.done(error) }
                jobs.append(job)
                return fail(error)
            }
            guard job.urgency != .reading else { return job.done(nil) }
            jobs.append(job)
            if job.urgency == .prompt { hasPrompt = true }
        }

        mutating func commit() {
            guard isWaiting else { return }
            do {
                try connection.execute("COMMIT")
                for job in jobs { job.done(nil) }
                forget()
            } catch {
                fail(error)
            }
        }

        /// One fault rolls the group back; each of its members hears of it and none counts.
        private mutating func fail(_ error: any Error) {
            // Where SQLite has rolled back by itself (disk full, say) this fails; the first error is the one to report.
            try? connection.execute("ROLLBACK")
            for job in jobs { job.done(error) }
            forget()
        }

        private mutating func forget() {
            jobs.removeAll(keepingCapacity: true)
            hasPrompt = false
        }
    }
}
