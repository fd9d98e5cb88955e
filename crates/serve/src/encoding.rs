//! Compressed answers: which coding a client gets, and files that are compressed once.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

/// How the bytes of an answer are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Zstd,
}

impl Coding {
    /// The word in headers.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The coding that a client prefers; of equal ones, the smallest.
    pub(crate) fn preferred(headers: &HeaderMap) -> Self {
        let mut best = (Self::Identity, 0.0);
        for coding in [Self::Zstd, Self::Gzip] {
            let weight = weight_of(headers, coding.name());
            if weight > best.1 {
                best = (coding, weight);
            }
        }
        best.0
    }
}

/// How much a client wants a coding, from 0 to 1.
fn weight_of(headers: &HeaderMap, name: &str) -> f32 {
    let lines = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let items = lines.flat_map(|line| line.split(','));
    let items = items.map(|item| item.split_once(';').unwrap_or((item, "")));
    let mut others = 0.0;
    for (coding, parameters) in items {
        let weight = parameters.trim().strip_prefix("q=").map_or(1.0, |q| q.parse().unwrap_or(0.0));
        match coding.trim() {
            "*" => others = weight,
            coding if coding.eq_ignore_ascii_case(name) => return weight,
            _ => {}
        }
    }
    others
}

/// Compresses answers while they are sent, and quickly.
pub(crate) fn layer() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Fastest)
}

/// A file in all codings.
#[derive(Debug)]
pub(crate) struct Encoded {
    plain: &'static [u8],
    gzip: Vec<u8>,
    zstd: Vec<u8>,
}

impl Encoded {
    /// Compresses a file as well as possible.
    pub(crate) fn new(plain: &'static [u8]) -> io::Result<Self> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(plain)?;
        let zstd = zstd::encode_all(plain, 19)?;
        Ok(Self { plain, gzip: gzip.finish()?, zstd })
    }

    /// The file in a coding, or as it is if that is smaller.
    pub(crate) fn bytes(&self, coding: Coding) -> (Coding, &[u8]) {
        let coded = match coding {
            Coding::Identity => self.plain,
            Coding::Gzip => &self.gzip,
            Coding::Zstd => &self.zstd,
        };
        if coded.len() < self.plain.len() {
            (coding, coded)
        } else {
            (Coding::Identity, self.plain)
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn clients_choose() {
        for (accepted, coding) in [
            ("", Coding::Identity),
            ("gzip", Coding::Gzip),
            ("gzip, deflate, br, zstd", Coding::Zstd),
            ("GZIP;q=1.0, zstd;q=0.5", Coding::Gzip),
            ("zstd;q=0, gzip;q=0", Coding::Identity),
            ("*", Coding::Zstd),
            ("*;q=0.5, gzip", Coding::Gzip),
            ("zstd;q=0, *", Coding::Gzip),
            ("gzip;q=x", Coding::Identity),
            ("br", Coding::Identity),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(Coding::preferred(&headers), coding, "{accepted}");
        }
        assert_eq!(Coding::preferred(&HeaderMap::new()), Coding::Identity);
    }

    #[test]
    fn files_are_the_same_in_all_codings() {
        let plain: &[u8] = &[b'x'; 5000];
        let encoded = Encoded::new(plain).unwrap();
        let (coding, zstd) = encoded.bytes(Coding::Zstd);
        assert_eq!((coding, zstd::decode_all(zstd).unwrap().as_slice()), (Coding::Zstd, plain));
        let (coding, gzip) = encoded.bytes(Coding::Gzip);
        let mut decoded = Vec::new();
        io::copy(&mut flate2::read::GzDecoder::new(gzip), &mut decoded).unwrap();
        assert_eq!((coding, decoded.as_slice()), (Coding::Gzip, plain));
        // What does not shrink stays as it is.
        let tiny = Encoded::new(b"x").unwrap();
        assert_eq!(tiny.bytes(Coding::Zstd), (Coding::Identity, b"x".as_slice()));
    }
}
