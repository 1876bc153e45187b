namespace Cluster.Glue.Substreams;

/// <summary>The body of an envelope to send: the bytes of one buffer, and at one place of it bytes of somebody
/// else.</summary>
/// <param name="first">The bytes before the lent ones.</param>
/// <param name="lent">The bytes of somebody else; mostly none.</param>
/// <param name="last">The bytes behind them.</param>
internal readonly ref struct EnvelopeBody(
    ReadOnlySpan<byte> first, ReadOnlySpan<byte> lent = default, ReadOnlySpan<byte> last = default)
{
    private readonly ReadOnlySpan<byte> _first = first;
    private readonly ReadOnlySpan<byte> _lent = lent;
    private readonly ReadOnlySpan<byte> _last = last;

    public int Length => _first.Length + _lent.Length + _last.Length;

    public static implicit operator EnvelopeBody(ReadOnlySpan<byte> bytes) => new(bytes);

    public void CopyTo(Span<byte> room)
    {
        _first.CopyTo(room);
        _lent.CopyTo(room[_first.Length..]);
        _last.CopyTo(room[(_first.Length + _lent.Length)..]);
    }
}
