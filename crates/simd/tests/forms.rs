//! Every form returns the same results as the portable one, and the portable one keeps the promises
//! of the operations.

use std::sync::atomic::AtomicU8;

use merels_simd::{Cpu, MIDDLE, Processor, SLACK, Work, bits};
use proptest::prelude::*;

/// Does a piece of work in all forms, compares the results, and returns that of the portable form.
fn in_all_forms<W: Work<Output: PartialEq + std::fmt::Debug>>(work: impl Fn() -> W) -> W::Output {
    let plain = Processor::Portable.dispatch(work());
    for processor in Processor::available() {
        assert_eq!(processor.dispatch(work()), plain, "{}", processor.name());
    }
    plain
}

/// Every operation on words once.
struct Words {
    word: u32,
    mask: u32,
    lanes: u64,
    lane_mask: u64,
}

impl Work for Words {
    type Output = ([u32; 2], [u64; 2], Vec<u32>);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let Self { word, mask, lanes, lane_mask } = self;
        let mut results = [0; 64];
        let others = std::array::from_fn(|i| (i as u32) << 8 | 0x8000_0001);
        let count = cpu.xor_each(word, lane_mask, &others, &mut results);
        (
            [cpu.extract(word, mask), cpu.deposit(word, mask)],
            [cpu.extract_lanes(lanes, lane_mask), cpu.deposit_lanes(lanes, lane_mask)],
            results[..count].to_vec(),
        )
    }
}

/// Every operation on lanes once.
struct Lanes<'a> {
    bytes: &'a [u8],
    other: &'a [u8],
    mask: u64,
}

impl Work for Lanes<'_> {
    type Output = Vec<Vec<u8>>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Vec<Vec<u8>> {
        let Self { bytes, other, mask } = self;
        let stored = |lanes: C::Lanes| {
            let mut bytes = vec![7; 64];
            cpu.store(lanes, &mut bytes);
            bytes
        };
        let (one, two) = (cpu.load(bytes, 0), cpu.load(other, 0));
        let places = |most: usize| -> Vec<u8> {
            other.iter().map(|&place| (usize::from(place) % most) as u8).collect()
        };
        let sources: [_; 4] = cpu.load_all(bytes, 0);
        let [first, second, ..] = sources;
        let high: Vec<_> = other.iter().rev().map(|byte| byte % 2).collect();
        let mut short = vec![7; other.len() - 64];
        cpu.store(two, &mut short);
        let shared: Vec<_> = (0..other.len() - 64).map(|_| AtomicU8::new(7)).collect();
        cpu.store_shared(two, &shared);
        vec![
            stored(one),
            stored(cpu.min(one, two)),
            stored(cpu.blend(mask, one, two)),
            stored(cpu.blend(0, one, two)),
            stored(cpu.shuffle([first], cpu.load(&places(64), 0))),
            stored(cpu.shuffle([first, second], cpu.load(&places(128), 0))),
            stored(cpu.shuffle(sources, two)),
            stored(cpu.shuffle_first(sources, two, 41))[..41].to_vec(),
            stored(cpu.shuffle_long(bytes, 512, two, cpu.load(&high, 0))),
            stored(cpu.min(cpu.splat(99), one)),
            stored(cpu.before(one)),
            stored(cpu.max_signed(one, 200)),
            short,
            shared.into_iter().map(AtomicU8::into_inner).collect(),
            stored(cpu.subtract(one, two)),
            stored(cpu.masked_add(mask, one, 1)),
            stored(cpu.masked_add(mask, one, other[0])),
            cpu.equal(one, bytes[0]).to_le_bytes().to_vec(),
        ]
    }
}

/// Every operation on lists once: bytes are sorted and spread again, split and joined again.
struct Lists<'a> {
    bytes: &'a [u8],
    words: [u64; 3],
    codes: &'a [u8],
}

impl Work for Lists<'_> {
    type Output = [Vec<u8>; 4];

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> [Vec<u8>; 4] {
        let Self { bytes, words, codes } = self;
        let sizes = words.map(|word| word.count_ones() as usize);
        let starts = [3, 3 + sizes[0], 3 + sizes[0] + sizes[1]];
        let total = starts[2] + sizes[2];
        // The buffer is full, so that the test notices a byte written too far.
        let mut sorted = vec![9; total];
        let mut places = starts;
        cpu.compress(bytes, &words, &mut places, &mut sorted);
        assert_eq!(places, [starts[1], starts[2], total]);
        let mut padded = sorted.clone();
        padded.resize(total + SLACK, 1);
        places = starts;
        let mut spread = vec![5; bytes.len()];
        cpu.expand(&padded, &words, &mut places, 77, &mut spread);
        assert_eq!(places, [starts[1], starts[2], total]);

        let mut above = vec![0; codes.len() + SLACK];
        let mut below = above.clone();
        let (high, low) = cpu.split(codes, &mut above, &mut below);
        let side = |&code: &u8| if code > MIDDLE { 255 } else { MIDDLE * u8::from(code == MIDDLE) };
        let mut joined: Vec<u8> = codes.iter().map(side).collect();
        cpu.join(&mut joined, &above, &below);
        assert_eq!(joined, codes);
        above.truncate(high);
        below.truncate(low);
        [sorted, spread, above, below]
    }
}

proptest! {
    // Miri takes long for each case.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(
        if cfg!(miri) { 4 } else { 256 })})]

    #[test]
    fn words(word: u32, mask: u32, lanes: u64, lane_mask: u64) {
        let (short, long, results) = in_all_forms(|| Words { word, mask, lanes, lane_mask });
        prop_assert_eq!(short, [bits::extract(word, mask), bits::deposit(word, mask)]);
        let places: Vec<_> = (0..64).filter(|i| lane_mask >> i & 1 == 1).collect();
        let bit = |from: usize, to: usize| (lanes >> from & 1) << to;
        let extracted = places.iter().enumerate().map(|(i, &place)| bit(place, i)).sum();
        let deposited = places.iter().enumerate().map(|(i, &place)| bit(i, place)).sum();
        prop_assert_eq!(long, [extracted, deposited]);
        let other = |&place: &usize| word ^ ((place as u32) << 8 | 0x8000_0001);
        let expected: Vec<_> = places.iter().map(other).collect();
        prop_assert_eq!(results, expected);
    }

    #[test]
    fn lanes(
        bytes in prop::collection::vec(any::<u8>(), 512..600),
        other in prop::collection::vec(any::<u8>(), 64..200),
        mask: u64,
    ) {
        in_all_forms(|| Lanes { bytes: &bytes, other: &other, mask });
    }

    #[test]
    fn lists(
        bytes in prop::collection::vec(any::<u8>(), 1..=64),
        chosen: (u64, u64),
        codes in prop::collection::vec(prop_oneof![Just(MIDDLE), any::<u8>()], 0..300),
    ) {
        let all = u64::MAX >> (64 - bytes.len());
        let words = [chosen.0 & chosen.1, chosen.0 & !chosen.1, !chosen.0 & chosen.1];
        let words = words.map(|word| word & all);
        let [sorted, spread, above, below] =
            in_all_forms(|| Lists { bytes: &bytes, words, codes: &codes });
        let mut expected = vec![9; 3];
        for word in words {
            expected.extend((0..bytes.len()).filter(|i| word >> i & 1 == 1).map(|i| bytes[i]));
        }
        prop_assert_eq!(sorted, expected);
        let named = words[0] | words[1] | words[2];
        let kept = |(i, &byte)| if named >> i & 1 == 1 { byte } else { 77 };
        let expected: Vec<u8> = bytes.iter().enumerate().map(kept).collect();
        prop_assert_eq!(spread, expected);
        let expected = codes.iter().filter(|&&code| code > MIDDLE).map(|code| !code);
        prop_assert_eq!(above, expected.collect::<Vec<_>>());
        let expected = codes.iter().filter(|&&code| code < MIDDLE).copied();
        prop_assert_eq!(below, expected.collect::<Vec<_>>());
    }
}

/// Names the forms that the tests compare on this processor, and those that it cannot run. The
/// output is for `.ci/run`, which repeats it.
#[test]
fn forms_of_this_processor() {
    let all: &[_] =
        if cfg!(target_arch = "x86_64") { &["portable", "avx2", "avx512"] } else { &["portable"] };
    let available: Vec<_> = Processor::available().into_iter().map(Processor::name).collect();
    let lacking = all.strip_prefix(&*available).expect("the best forms come last");
    println!("forms of the code: {} tested, {} not", available.join(" "), lacking.join(" "));
}

/// The operations on every byte.
struct EachByte(u8);

impl Work for EachByte {
    type Output = [Vec<u8>; 2];

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> [Vec<u8>; 2] {
        let lanes = cpu.splat(self.0);
        [cpu.before(lanes), cpu.max_signed(lanes, 200)].map(|lanes| {
            let mut bytes = vec![0; 64];
            cpu.store(lanes, &mut bytes);
            bytes
        })
    }
}

#[test]
fn each_byte() {
    for byte in 0..=255 {
        let before = match byte {
            0..MIDDLE => 255 - byte,
            MIDDLE => MIDDLE,
            _ => 255 - byte + 1,
        };
        let limited = if (128..200).contains(&byte) { 200 } else { byte };
        // As signed numbers, bytes from 200 on lie between the byte 200, which is negative, and
        // zero.
        assert_eq!(in_all_forms(|| EachByte(byte)), [vec![before; 64], vec![limited; 64]]);
    }
}
