//! Times for people: `0.4 s`, `45 s`, `4 min 05 s`, `2 h 03 min`.

use std::time::Duration;

/// A time in two units at most.
pub(crate) fn in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// An estimated time, which is not more exact than it looks.
pub(crate) fn estimated(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    match seconds {
        0..10 => "a few seconds".to_owned(),
        10..55 => format!("{} s", seconds.next_multiple_of(5)),
        55..3300 => format!("{} min", (seconds + 30) / 60),
        _ => {
            let minutes = (seconds + 150) / 300 * 5;
            format!("{} h {:02} min", minutes / 60, minutes % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_words() {
        let words = |seconds| in_words(Duration::from_secs_f64(seconds));
        assert_eq!([0.04, 9.4, 9.6, 59.4].map(words), ["0.0 s", "9.4 s", "10 s", "59 s"]);
        assert_eq!([59.6, 245.0, 7380.0].map(words), ["1 min 00 s", "4 min 05 s", "2 h 03 min"]);
        let words = |seconds| estimated(Duration::from_secs(seconds));
        assert_eq!([3, 42, 58, 100].map(words), ["a few seconds", "45 s", "1 min", "2 min"]);
        assert_eq!([3400, 9000].map(words), ["0 h 55 min", "2 h 30 min"]);
    }
}
