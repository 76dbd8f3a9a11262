//! The three placement algorithms, over the shapes of fields only.

use super::Layout;

const POINTER: u64 = 8;

/// What placement needs to know about a field's type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub size: u32,
    pub align: u32,
    class: Class,
    pub contains_refs: bool,
    /// Holds object references or managed pointers.
    pub is_tracked: bool,
    /// Has the same bytes in native code (`bool` and `char` have not).
    pub is_blittable: bool,
    /// Laid out in the order of declaration, or a single primitive.
    pub is_sequential: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Reference,
    Primitive,
    Value,
}

impl Shape {
    pub fn reference() -> Shape {
        Shape {
            size: 8,
            align: 8,
            class: Class::Reference,
            contains_refs: true,
            is_tracked: true,
            is_blittable: false,
            is_sequential: false,
        }
    }

    pub fn managed_pointer() -> Shape {
        Shape {
            size: 8,
            align: 8,
            class: Class::Primitive,
            contains_refs: false,
            is_tracked: true,
            is_blittable: false,
            is_sequential: false,
        }
    }

    pub fn primitive(size: u32, is_blittable: bool) -> Shape {
        Shape {
            size,
            align: size,
            class: Class::Primitive,
            contains_refs: false,
            is_tracked: false,
            is_blittable,
            is_sequential: true,
        }
    }

    pub fn value(layout: &Layout) -> Shape {
        Shape {
            size: layout.size,
            align: layout.align,
            class: Class::Value,
            contains_refs: layout.contains_refs,
            is_tracked: layout.is_tracked,
            is_blittable: layout.is_blittable,
            is_sequential: layout.kind == super::LayoutKind::Sequential,
        }
    }
}

/// The runtime changed its mind once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rules {
    /// Value types inside `auto` take whole words; `sequential` needs sequential or blittable fields.
    BeforeNet7,
    /// Value types inside `auto` keep their size and alignment; `sequential` needs fields without references.
    Net7,
}

/// Offsets in the order of the shapes.
#[derive(Debug)]
pub(super) struct Placed {
    pub offsets: Vec<u64>,
    pub size: u64,
    pub align: u32,
}

type Outcome = Result<Placed, &'static str>;

/// References first, then primitives from large to small, then value types (at a multiple of 8 when they hold
/// references). A gap behind the base class's last field is first filled with small primitives, when something larger
/// follows; the first size of gap that nothing fits into ends the filling.
pub(super) fn auto(shapes: &[Shape], start: u32, is_value: bool, rules: Rules) -> Outcome {
    let mut offsets = vec![u64::MAX; shapes.len()];
    let mut position = u64::from(start);
    let of_size = |log: u32| {
        let fits = move |s: &Shape| s.class == Class::Primitive && s.size == 1 << log;
        shapes.iter().enumerate().filter(move |(_, s)| fits(s)).map(|(i, _)| i)
    };
    let mut waiting: [std::collections::VecDeque<usize>; 4] = [0, 1, 2, 3].map(|log| of_size(log).collect());
    let references: Vec<usize> = indexes(shapes, Class::Reference).collect();

    let mut log = 0;
    while log < 3usize {
        if position % (2 << log) == 0 {
            log += 1;
            continue;
        }
        let larger = waiting.iter().skip(log + 1).any(|list| !list.is_empty()) || !references.is_empty();
        if !larger {
            break;
        }
        let Some((size, field)) =
            (0..=log).rev().find_map(|small| waiting.get_mut(small)?.pop_front().map(|f| (1 << small, f)))
        else {
            break;
        };
        position = position.next_multiple_of(size);
        set(&mut offsets, field, position);
        position += size;
        log = 0;
    }

    for log in (0..4usize).rev() {
        let size = 1u64 << log;
        let first = if log == 3 { references.as_slice() } else { &[] };
        let rest = waiting.get(log).into_iter().flatten();
        for &field in first.iter().chain(rest) {
            position = position.next_multiple_of(size);
            set(&mut offsets, field, position);
            position += size;
        }
    }

    for field in indexes(shapes, Class::Value) {
        let Some(shape) = shapes.get(field) else { continue };
        let wide = shape.contains_refs || rules == Rules::BeforeNet7;
        let align = if wide { POINTER } else { u64::from(shape.align) };
        position = position.next_multiple_of(align.max(1));
        set(&mut offsets, field, position);
        position += match rules {
            Rules::BeforeNet7 => u64::from(shape.size).next_multiple_of(POINTER),
            Rules::Net7 => u64::from(shape.size),
        };
    }

    let mut size = position;
    let mut align = 8;
    if is_value {
        align = (if size > POINTER { POINTER } else { size.max(1).next_power_of_two() }) as u32;
        let widest = shapes.iter().filter(|s| s.class == Class::Value).map(|s| s.align).max().unwrap_or(1);
        align = align.max(widest.max(1));
        size = size.next_multiple_of(u64::from(align));
    }
    Ok(Placed { offsets, size, align })
}

/// In the order of declaration, each at its alignment, which the packing may lower.
pub(super) fn sequential(shapes: &[Shape], start: u32, packing: u16, class_size: u32) -> Outcome {
    let pack = effective_packing(packing)?;
    let mut position = u64::from(start);
    let mut largest = 1u32;
    let mut offsets = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let align = shape.align.min(pack).max(1);
        largest = largest.max(align);
        position = position.next_multiple_of(u64::from(align));
        offsets.push(position);
        position += u64::from(shape.size);
    }
    let size = total(position, u64::from(start), class_size, largest);
    Ok(Placed { offsets, size, align: largest })
}

/// As the offsets say; references must be aligned and must not overlap anything but references.
pub(super) fn explicit(
    shapes: &[Shape],
    asked: &[u32],
    start: u32,
    packing: u16,
    class_size: u32,
) -> Outcome {
    let pack = effective_packing(packing)?;
    let start = u64::from(start);
    let offsets: Vec<u64> = asked.iter().map(|offset| start + u64::from(*offset)).collect();
    let ends = shapes.iter().zip(&offsets).map(|(shape, offset)| offset + u64::from(shape.size));
    let end = ends.max().unwrap_or(start);
    let largest = shapes.iter().map(|shape| shape.align.min(pack).max(1)).max().unwrap_or(1);
    check_overlap(shapes, &offsets)?;
    let mut size = total(end, start, class_size, largest);
    if shapes.iter().any(|shape| shape.contains_refs) {
        size = size.next_multiple_of(POINTER);
    }
    Ok(Placed { offsets, size, align: largest })
}

/// A size asked for is taken as it is, unless the fields need more; else the end is rounded up to the alignment.
fn total(end: u64, start: u64, class_size: u32, align: u32) -> u64 {
    match class_size {
        0 => end.next_multiple_of(u64::from(align)),
        asked => end.max(start + u64::from(asked)),
    }
}

fn check_overlap(shapes: &[Shape], offsets: &[u64]) -> Result<(), &'static str> {
    let mut refs: Vec<(u64, u64)> = Vec::new();
    for (shape, &offset) in shapes.iter().zip(offsets) {
        if shape.is_tracked && offset % POINTER != 0 {
            return Err("a field with an object reference is not aligned");
        }
        if shape.class == Class::Reference {
            refs.push((offset, offset + POINTER));
        }
    }
    for (shape, &offset) in shapes.iter().zip(offsets) {
        if shape.is_tracked {
            continue;
        }
        let end = offset + u64::from(shape.size);
        if refs.iter().any(|(from, to)| offset < *to && *from < end) {
            return Err("an object reference overlaps a field that is none");
        }
    }
    Ok(())
}

/// The first offset at which a reference is not aligned or meets something else, in the order of the fields.
pub(super) fn conflict(shapes: &[Shape], offsets: &[u32]) -> Option<u32> {
    let all = || shapes.iter().zip(offsets.iter().copied());
    let misaligned = all().find(|(shape, offset)| shape.is_tracked && u64::from(*offset) % POINTER != 0);
    misaligned.map(|(_, offset)| offset).or_else(|| {
        let meets = |index: usize, shape: &Shape, offset: u32| {
            all().take(index).any(|(before, at)| {
                let is_reference = |shape: &Shape| shape.class == Class::Reference;
                is_reference(before) != is_reference(shape)
                    && offset < at.saturating_add(before.size)
                    && at < offset.saturating_add(shape.size)
            })
        };
        all()
            .enumerate()
            .find(|(index, (shape, offset))| meets(*index, shape, *offset))
            .map(|(_, (_, at))| at)
    })
}

/// 0 means: as each type wants.
fn effective_packing(packing: u16) -> Result<u32, &'static str> {
    match packing {
        0 => Ok(u32::MAX),
        p if p.is_power_of_two() && p <= 128 => Ok(u32::from(p)),
        _ => Err("its packing is not a power of two up to 128"),
    }
}

fn indexes(shapes: &[Shape], class: Class) -> impl Iterator<Item = usize> + '_ {
    shapes.iter().enumerate().filter(move |(_, shape)| shape.class == class).map(|(i, _)| i)
}

fn set(offsets: &mut [u64], field: usize, position: u64) {
    if let Some(offset) = offsets.get_mut(field) {
        *offset = position;
    }
}
