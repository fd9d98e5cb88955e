//! Values of a chunk of rows that are known before the layers begin, sorted by distance: removal
//! values or placing values. Layers take them one distance at a time.
//!
//! Each row has a list of *segments*: a distance, and the ranks of the arrangements whose known
//! value has that distance. Layers come in rising order, so a cursor for each row is enough. No
//! layer takes draws, so the queue leaves them out. Ranks are 16-bit offsets within pages of 65,536
//! entries, since few rows are longer than a page.

use merels_core::Plies;
use merels_core::numbering::ValueCode;

const PAGE_BITS: u32 = 16;
const SEGMENT_LIMIT: usize = u16::MAX as usize;

/// Words before the ranks of a segment: distance, page, number of ranks.
const SEGMENT_HEAD: usize = 3;

/// The distance noted for a row with nothing left.
const NOTHING: u16 = u16::MAX;

/// Known values of a chunk of rows.
#[derive(Default)]
pub(crate) struct ValueQueue {
    words: Box<[u16]>,
    cursors: Vec<Cursor>,
    /// The number of ranks by distance.
    counts: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Cursor {
    next: u32,
    end: u32,
    distance: u16,
}

/// Collects a row's known values and sorts them; used for one row after the other.
#[derive(Default)]
pub(crate) struct RowSorter {
    /// The segments of the chunk so far.
    words: Vec<u16>,
    found: Vec<(u32, u8)>,
    counts: Vec<u32>,
    sorted: Vec<u16>,
    /// Shorter distances are left out.
    from: Plies,
}

impl RowSorter {
    /// Leaves out values of distances shorter than `from`.
    pub(crate) fn from_distance(from: Plies) -> Self {
        Self { from, ..Self::default() }
    }

    /// Notes the value of one arrangement. The ranks of a row must come in rising order.
    #[inline]
    pub(crate) fn push(&mut self, rank: usize, code: u8) {
        if code != ValueCode::DRAW.byte() {
            self.found.push((rank as u32, code));
        }
    }
}

impl ValueQueue {
    /// Adds the next row of the chunk from `sorter`, and empties `sorter`.
    pub(crate) fn add_row(&mut self, sorter: &mut RowSorter) {
        let start = sorter.words.len();
        // Sort by distance and page; within them the ranks keep their rising order.
        let pages = sorter.found.last().map_or(1, |&(rank, _)| (rank >> PAGE_BITS) as usize + 1);
        let key =
            |rank: u32, code: u8| distance(code) as usize * pages + (rank >> PAGE_BITS) as usize;
        sorter.counts.clear();
        sorter.counts.resize(256 * pages + 1, 0);
        for &(rank, code) in &sorter.found {
            sorter.counts[key(rank, code) + 1] += 1;
        }
        for i in 1..sorter.counts.len() {
            sorter.counts[i] += sorter.counts[i - 1];
        }
        sorter.sorted.clear();
        sorter.sorted.resize(sorter.found.len(), 0);
        for &(rank, code) in &sorter.found {
            let slot = &mut sorter.counts[key(rank, code)];
            sorter.sorted[*slot as usize] = rank as u16;
            *slot += 1;
        }
        // Now `counts[i]` is where the ranks of key `i` end.
        let left_out = usize::from(sorter.from.0) * pages;
        let mut from = 0;
        for (i, &to) in sorter.counts[..256 * pages].iter().enumerate() {
            let to = to as usize;
            let start = if i < left_out { to } else { from };
            for ranks in sorter.sorted[start..to].chunks(SEGMENT_LIMIT) {
                let head = [(i / pages) as u16, (i % pages) as u16, ranks.len() as u16];
                sorter.words.extend(head);
                sorter.words.extend_from_slice(ranks);
                self.counts.resize(self.counts.len().max(i / pages + 1), 0);
                self.counts[i / pages] += ranks.len() as u64;
            }
            from = to;
        }
        sorter.found.clear();
        let distance = sorter.words.get(start).copied().unwrap_or(NOTHING);
        self.cursors.push(Cursor { next: start as u32, end: sorter.words.len() as u32, distance });
    }

    /// The number of arrangements by distance, from 0 up to the longest distance that occurs.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Takes over the chunk's segments after all rows.
    pub(crate) fn finish(&mut self, sorter: &mut RowSorter) {
        self.words = sorter.words.as_slice().into();
        sorter.words.clear();
    }

    /// The number of values that row `row` of the chunk has at `distance`; of a row longer than a
    /// page, those of the first page that has any. Layers must ask in rising order and take the
    /// values.
    #[inline]
    pub(crate) fn len(&self, row: usize, distance: Plies) -> usize {
        let cursor = &self.cursors[row];
        if cursor.distance == distance.0 {
            usize::from(self.words[cursor.next as usize + 2])
        } else {
            0
        }
    }

    /// Calls `found` with the ranks of row `row` whose value has `distance`, and moves on.
    #[inline]
    pub(crate) fn take(&mut self, row: usize, distance: Plies, mut found: impl FnMut(usize)) {
        let cursor = &mut self.cursors[row];
        while cursor.distance == distance.0 {
            let start = cursor.next as usize;
            let page = usize::from(self.words[start + 1]) << PAGE_BITS;
            let len = usize::from(self.words[start + 2]);
            for &rank in &self.words[start + SEGMENT_HEAD..][..len] {
                found(page + usize::from(rank));
            }
            cursor.next += (SEGMENT_HEAD + len) as u32;
            cursor.distance =
                if cursor.next < cursor.end { self.words[cursor.next as usize] } else { NOTHING };
        }
    }
}

/// The distance of a code other than a draw's.
#[inline]
const fn distance(code: u8) -> u8 {
    if code < ValueCode::DRAW.byte() { 2 * code } else { 2 * (255 - code) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_come_back_by_distance() {
        let code = |plies| ValueCode::at_distance(Plies(plies)).unwrap().byte();
        let rows: [&[(usize, u8)]; 3] = [
            &[
                (3, code(7)),
                (9, code(0)),
                (70_000, code(7)),
                (70_001, ValueCode::DRAW.byte()),
                (200_000, code(2)),
            ],
            &[],
            &[(0, code(253)), (1, code(252))],
        ];
        let mut queue = ValueQueue::default();
        let mut sorter = RowSorter::default();
        for row in rows {
            row.iter().for_each(|&(rank, code)| sorter.push(rank, code));
            queue.add_row(&mut sorter);
        }
        queue.finish(&mut sorter);
        assert_eq!(queue.counts().len(), 254);
        assert_eq!((queue.counts()[7], queue.counts()[2], queue.counts()[3]), (2, 1, 0));
        for distance in 0..=253 {
            for (i, row) in rows.iter().enumerate() {
                let expected: Vec<_> = row
                    .iter()
                    .filter(|(_, c)| *c == code(distance))
                    .map(|&(rank, _)| rank)
                    .collect();
                let first_page = expected.first().map_or(0, |rank| rank >> PAGE_BITS);
                let of_page = expected.iter().filter(|&rank| rank >> PAGE_BITS == first_page);
                assert_eq!(queue.len(i, Plies(distance)), of_page.count());
                let mut found = Vec::new();
                queue.take(i, Plies(distance), |rank| found.push(rank));
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn short_distances_are_left_out() {
        let code = |plies| ValueCode::at_distance(Plies(plies)).unwrap().byte();
        let mut queue = ValueQueue::default();
        let mut sorter = RowSorter::from_distance(Plies(4));
        (0..8).for_each(|plies| sorter.push(usize::from(plies), code(plies)));
        queue.add_row(&mut sorter);
        queue.finish(&mut sorter);
        assert_eq!(queue.counts(), [0, 0, 0, 0, 1, 1, 1, 1]);
        let mut found = Vec::new();
        (4..8).for_each(|plies| queue.take(0, Plies(plies), |rank| found.push(rank)));
        assert_eq!(found, [4, 5, 6, 7]);
    }

    #[test]
    fn distances_of_codes() {
        for byte in (0..=255).filter(|&byte| byte != ValueCode::DRAW.byte()) {
            if let Some(code) = ValueCode::from_byte(byte) {
                assert_eq!(Some(Plies(u16::from(distance(byte)))), code.value().distance());
            }
        }
    }

    #[test]
    fn long_segments_are_split() {
        let mut queue = ValueQueue::default();
        let mut sorter = RowSorter::default();
        (0..65_536).for_each(|rank| sorter.push(rank, ValueCode::LOST.byte()));
        queue.add_row(&mut sorter);
        queue.finish(&mut sorter);
        let mut count = 0;
        queue.take(0, Plies(0), |rank| {
            assert_eq!(rank, count);
            count += 1;
        });
        assert_eq!(count, 65_536);
    }
}
