//! Takes numbers and values from the bytes of an input.

/// The bytes not yet taken. Once they are used up, zeros follow.
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl<'a> Input<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_at(self.0.len().min(N));
        self.0 = rest;
        let mut bytes = [0; N];
        bytes[..taken.len()].copy_from_slice(taken);
        bytes
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.bytes::<1>()[0]
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// A number near one of those where something changes, or any.
    pub(crate) fn i64(&mut self) -> i64 {
        const EDGES: [i64; 12] = [
            0,
            i64::MIN,
            i64::MAX,
            u32::MAX as i64,
            1 << 30,
            1 << 31,
            1 << 41,
            1 << 53,
            -1,
            60_000,
            1_800_000_000_000,
            253_402_300_800_000,
        ];
        match self.byte() {
            255 => i64::from_le_bytes(self.bytes()),
            choice => {
                let near = i64::from(self.byte() as i8);
                EDGES[usize::from(choice) % EDGES.len()].wrapping_add(near)
            }
        }
    }

    /// A run of bytes, its length before it.
    pub(crate) fn run(&mut self) -> &'a [u8] {
        let length = usize::from(self.byte());
        let (run, rest) = self.0.split_at(self.0.len().min(length));
        self.0 = rest;
        run
    }

    pub(crate) fn text(&mut self) -> String {
        String::from_utf8_lossy(self.run()).into_owned()
    }

    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.0)
    }
}
