//! Writes the journal of a run, if the folder allows it.

use std::io;
use std::time::Instant;

use merels_core::{Subspace, one_line};
use merels_db::{DbError, Digest, Folder};

use crate::full::journal::{JOURNAL_NAME, Journal};
use crate::full::verified::Progress;
use crate::observer::Observer;

/// The journal, if it can be written.
pub(crate) struct JournalWriter<'a> {
    journal: Option<Journal>,
    observer: &'a dyn Observer,
    written: Instant,
}

impl<'a> JournalWriter<'a> {
    /// Reads the journal; ignores its content if `again` is set.
    pub(crate) fn open(folder: &Folder, again: bool, observer: &'a dyn Observer) -> Self {
        let mut writer = Self { journal: None, observer, written: Instant::now() };
        match Journal::load(folder) {
            Ok((mut journal, void)) => {
                if void {
                    observer.note(&format!(
                        "ignoring {JOURNAL_NAME}: it is damaged, or belongs to other rules or \
                         another version"
                    ));
                }
                if again {
                    journal.clear();
                }
                writer.journal = Some(journal);
            }
            Err(error) => writer.give_up(&error),
        }
        writer
    }

    /// The time of the last write, or of the start.
    pub(crate) const fn written(&self) -> Instant {
        self.written
    }

    /// Continues without a journal: a read-only folder can be verified, too.
    fn give_up(&mut self, error: &io::Error) {
        let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
        let advice = match cause {
            Some(DbError::Unreadable { .. }) => "; remove it",
            _ => "",
        };
        self.observer.note(&format!(
            "this run keeps no journal, so it starts over if you interrupt it: {}{advice}",
            one_line(error)
        ));
        self.journal = None;
    }

    /// Returns how many entries of a subspace were found right, in tables with these digests.
    pub(crate) fn done(
        &self,
        subspace: Subspace,
        digest: Digest,
        against: &[(Subspace, Digest)],
    ) -> u64 {
        self.journal.as_ref().map_or(0, |journal| journal.done(subspace, digest, against))
    }

    /// Records the progress in a subspace.
    pub(crate) fn record(&mut self, subspace: Subspace, progress: Progress) {
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.record(subspace, progress)
        {
            self.give_up(&error);
        }
        self.written = Instant::now();
    }
}
