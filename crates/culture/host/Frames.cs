// What is in a frame. Numbers have four bytes, little endian. A text is the number of its UTF-16 units and these;
// null is -1 alone. Bytes are their number and these.

using System;
using System.Buffers.Binary;
using System.IO;
using System.Runtime.InteropServices;

namespace Cilantro.Culture
{
    enum Status : byte
    {
        Ok = 0,
        // The runtime has no such entry, or there is no ICU.
        NotThere = 1,
        // A sentence says why.
        Refused = 2,
    }

    struct Question
    {
        readonly byte[] bytes;
        readonly int end;
        int at;

        public Question(byte[] bytes, int start, int length)
        {
            this.bytes = bytes;
            at = start;
            end = start + length;
        }

        public byte Byte() => bytes[Skip(1)];

        public int Number() => BinaryPrimitives.ReadInt32LittleEndian(new ReadOnlySpan<byte>(bytes, Skip(4), 4));

        public string Text()
        {
            int count = Number();
            if (count < 0) return null;
            if (count > end - at) throw new InvalidDataException("the question is too short");
            var units = MemoryMarshal.Cast<byte, char>(new ReadOnlySpan<byte>(bytes, Skip(2 * count), 2 * count));
            return new string(units);
        }

        int Skip(int count)
        {
            if (count > end - at) throw new InvalidDataException("the question is too short");
            int start = at;
            at += count;
            return start;
        }
    }

    // Answers that wait to be written, one behind the other.
    sealed class Answer
    {
        byte[] bytes = new byte[1 << 16];
        int count;
        int start;

        public void Begin(Status status)
        {
            start = count;
            Room(5)[4] = (byte)status;
        }

        // Takes back what was added since Begin.
        public void Restart(Status status)
        {
            count = start;
            Begin(status);
        }

        public void End() => BinaryPrimitives.WriteInt32LittleEndian(new Span<byte>(bytes, start, 4), count - start - 4);

        public void Add(int value) => BinaryPrimitives.WriteInt32LittleEndian(Room(4), value);

        public void Add(ReadOnlySpan<char> text)
        {
            Add(text.Length);
            MemoryMarshal.AsBytes(text).CopyTo(Room(2 * text.Length));
        }

        public void Add(ReadOnlySpan<byte> data)
        {
            Add(data.Length);
            data.CopyTo(Room(data.Length));
        }

        public void WriteTo(Stream output)
        {
            if (count == 0) return;
            output.Write(bytes, 0, count);
            output.Flush();
            count = 0;
        }

        Span<byte> Room(int more)
        {
            if (bytes.Length - count < more) Array.Resize(ref bytes, Math.Max(2 * bytes.Length, count + more));
            count += more;
            return new Span<byte>(bytes, count - more, more);
        }
    }
}
