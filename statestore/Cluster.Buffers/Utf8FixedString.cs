using System.Text.Unicode;
using Cluster.Pile;

namespace Cluster.Buffers;

/// <summary>A text of UTF-8 in a buffer of fixed capacity, outside the garbage collector. The 8-byte handle is an
/// immutable value without references, so it can be a field of any struct; the text changes in place. <c>default</c> is
/// an empty text of capacity 0. Not synchronised: one thread at a time writes.</summary>
/// <remarks>The text is valid UTF-8 at any time: what is not is refused, and what is too long is refused or cut between
/// two characters as readers see them, never inside of one. Equality, order and hash are those of the text, ordinal by
/// Unicode code point; do not change a text that is a key of a dictionary.</remarks>
public readonly struct Utf8FixedString
    : IEquatable<Utf8FixedString>, IComparable<Utf8FixedString>, ISpanFormattable, IUtf8SpanFormattable
{
    // The length of the text precedes it, in the byte order of this machine.
    private const int PrefixBytes = sizeof(int);

    private readonly PileBuffer<byte> _buffer;

    private Utf8FixedString(PileBuffer<byte> buffer) => _buffer = buffer;

    /// <summary>The bytes that the longest text may have.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public int CapacityBytes => _buffer.IsDefault ? 0 : (int)_buffer.Length - PrefixBytes;

    /// <summary>The bytes of the text.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public int LengthBytes => AsSpan().Length;

    /// <summary>Makes an empty text that lives until <see cref="Free"/>.</summary>
    /// <param name="capacityBytes">The bytes that the longest text may have.</param>
    /// <param name="pile">Whose budget it counts against; null for <see cref="BufferBudget.Process"/>.</param>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is negative or above 2^31 - 5.</exception>
    public static Utf8FixedString Create(int capacityBytes, LocalPile? pile = null)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(capacityBytes);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacityBytes, int.MaxValue - PrefixBytes);
        var buffer = PileBuffer.Create<byte>(capacityBytes + PrefixBytes, BufferFill.Uninitialized, pile);
        SetLength(buffer, 0);
        return new Utf8FixedString(buffer);
    }

    /// <summary>Makes a text of just the capacity that it needs.</summary>
    /// <param name="text">The text.</param>
    /// <param name="pile">Whose budget it counts against; null for <see cref="BufferBudget.Process"/>.</param>
    /// <exception cref="PileFullException">The budget does not hold it; nothing was changed.</exception>
    /// <exception cref="ArgumentException">A surrogate in it has no partner.</exception>
    public static Utf8FixedString Create(ReadOnlySpan<char> text, LocalPile? pile = null)
    {
        var needed = Encoding.UTF8.GetByteCount(text);
        ThrowIfMalformed(text);
        var created = Create(needed, pile);
        created.Set(text);
        return created;
    }

    /// <summary>The bytes of the text, valid until it is changed or freed.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public ReadOnlySpan<byte> AsSpan()
    {
        if (_buffer.IsDefault)
            return [];
        var all = _buffer.AsSpan();
        return all.Slice(PrefixBytes, MemoryMarshal.Read<int>(all));
    }

    /// <summary>Replaces the text.</summary>
    /// <exception cref="ArgumentException">It needs more bytes than the capacity, or a surrogate in it has no partner;
    /// the text is as it was.</exception>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public void Set(ReadOnlySpan<char> text)
    {
        if (!TrySet(text))
            ThrowTooLong(Encoding.UTF8.GetByteCount(text));
    }

    /// <summary>Replaces the text by one that is UTF-8 already.</summary>
    /// <exception cref="ArgumentException">It needs more bytes than the capacity, or is no valid UTF-8; the text is as
    /// it was.</exception>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public void Set(ReadOnlySpan<byte> utf8)
    {
        if (!Utf8.IsValid(utf8))
            throw new ArgumentException("Valid UTF-8 is expected; the bytes are not.", nameof(utf8));
        if (utf8.Length > CapacityBytes)
            ThrowTooLong(utf8.Length);
        if (_buffer.IsDefault)
            return;
        utf8.CopyTo(_buffer.AsSpan()[PrefixBytes..]);
        SetLength(_buffer, utf8.Length);
    }

    /// <summary>Replaces the text when it fits; false when it does not, and the text is as it was.</summary>
    /// <exception cref="ArgumentException">A surrogate in it has no partner; the text is as it was.</exception>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public bool TrySet(ReadOnlySpan<char> text)
    {
        ThrowIfMalformed(text);
        if (Encoding.UTF8.GetByteCount(text) > CapacityBytes)
            return false;
        Write(text);
        return true;
    }

    /// <summary>Replaces the text by as many characters of another one as fit, and tells how many <see cref="char"/>s
    /// those are. What readers see as one character is taken whole or not at all, however many code points it
    /// has.</summary>
    /// <exception cref="ArgumentException">A surrogate in it has no partner; the text is as it was.</exception>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public int SetTruncated(ReadOnlySpan<char> text)
    {
        ThrowIfMalformed(text);
        var (taken, bytes, capacity) = (0, 0, CapacityBytes);
        while (taken < text.Length)
        {
            var length = StringInfo.GetNextTextElementLength(text[taken..]);
            bytes += Encoding.UTF8.GetByteCount(text.Slice(taken, length));
            if (bytes > capacity)
                break;
            taken += length;
        }

        Write(text[..taken]);
        return taken;
    }

    /// <summary>As <see cref="PileBuffer{T}.Retain"/>.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public void Retain() => _buffer.Retain();

    /// <summary>As <see cref="PileBuffer{T}.Release"/>.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed, or has no lease.</exception>
    public void Release() => _buffer.Release();

    /// <summary>Gives the memory back; false when that was done before.</summary>
    /// <exception cref="PileBusyException">The text has leases; nothing was changed.</exception>
    public bool Free() => _buffer.Free();

    /// <summary>Whether the text is the same, whatever the capacities.</summary>
    /// <exception cref="InvalidPileBufferException">One of them was freed.</exception>
    public bool Equals(Utf8FixedString other) => AsSpan().SequenceEqual(other.AsSpan());

    /// <summary>Whether the text is the same as one of UTF-16.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public bool Equals(ReadOnlySpan<char> other)
    {
        var rest = AsSpan();
        while (Rune.DecodeFromUtf8(rest, out var rune, out var bytes) == OperationStatus.Done)
        {
            if (Rune.DecodeFromUtf16(other, out var otherRune, out var chars) != OperationStatus.Done
                || rune != otherRune)
            {
                return false;
            }

            rest = rest[bytes..];
            other = other[chars..];
        }

        return other.IsEmpty;
    }

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is Utf8FixedString other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = default(HashCode);
        hash.AddBytes(AsSpan());
        return hash.ToHashCode();
    }

    /// <summary>Compares by Unicode code points, which is also the order of the bytes.</summary>
    /// <exception cref="InvalidPileBufferException">One of them was freed.</exception>
    public int CompareTo(Utf8FixedString other) => AsSpan().SequenceCompareTo(other.AsSpan());

    /// <summary>Whether the texts are the same.</summary>
    public static bool operator ==(Utf8FixedString left, Utf8FixedString right) => left.Equals(right);

    /// <summary>Whether the texts differ.</summary>
    public static bool operator !=(Utf8FixedString left, Utf8FixedString right) => !left.Equals(right);

    /// <summary>Whether the left text comes first.</summary>
    public static bool operator <(Utf8FixedString left, Utf8FixedString right) => left.CompareTo(right) < 0;

    /// <summary>Whether the left text comes first or is the same.</summary>
    public static bool operator <=(Utf8FixedString left, Utf8FixedString right) => left.CompareTo(right) <= 0;

    /// <summary>Whether the left text comes last.</summary>
    public static bool operator >(Utf8FixedString left, Utf8FixedString right) => left.CompareTo(right) > 0;

    /// <summary>Whether the left text comes last or is the same.</summary>
    public static bool operator >=(Utf8FixedString left, Utf8FixedString right) => left.CompareTo(right) >= 0;

    /// <summary>The text as a string.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public override string ToString() => Encoding.UTF8.GetString(AsSpan());

    /// <inheritdoc/>
    string IFormattable.ToString(string? format, IFormatProvider? formatProvider) => ToString();

    /// <inheritdoc/>
    bool ISpanFormattable.TryFormat(
        Span<char> destination, out int charsWritten, ReadOnlySpan<char> format, IFormatProvider? provider) =>
        TryCopyTo(destination, out charsWritten);

    /// <inheritdoc/>
    bool IUtf8SpanFormattable.TryFormat(
        Span<byte> utf8Destination, out int bytesWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
    {
        var text = AsSpan();
        bytesWritten = text.TryCopyTo(utf8Destination) ? text.Length : 0;
        return bytesWritten == text.Length;
    }

    /// <summary>Copies the text as UTF-16; false when it does not fit, and nothing is to be used then.</summary>
    /// <exception cref="InvalidPileBufferException">The text was freed.</exception>
    public bool TryCopyTo(Span<char> destination, out int charsWritten)
    {
        if (Encoding.UTF8.TryGetChars(AsSpan(), destination, out charsWritten))
            return true;
        charsWritten = 0;
        return false;
    }

    private static void SetLength(PileBuffer<byte> buffer, int length) =>
        MemoryMarshal.Write(buffer.AsSpan(0, PrefixBytes), length);

    private static void ThrowIfMalformed(ReadOnlySpan<char> text)
    {
        for (var at = text.IndexOfAnyInRange('\uD800', '\uDFFF'); at < text.Length && at >= 0; at++)
        {
            if (!char.IsSurrogate(text[at]))
                continue;
            if (Rune.DecodeFromUtf16(text[at..], out _, out _) != OperationStatus.Done)
            {
                throw new ArgumentException(
                    $"Valid UTF-16 is expected; the surrogate at {at} has no partner.", nameof(text));
            }

            at++;
        }
    }

    private void Write(ReadOnlySpan<char> text)
    {
        if (_buffer.IsDefault)
            return;
        SetLength(_buffer, Encoding.UTF8.GetBytes(text, _buffer.AsSpan()[PrefixBytes..]));
    }

    private void ThrowTooLong(int needed) =>
        throw new ArgumentException(
            $"The text needs {needed:N0} bytes and the capacity is {CapacityBytes:N0}; "
            + $"{nameof(SetTruncated)} cuts it.");
}
