using Cluster.Glue.Substreams;
using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Client;

/// <summary>The bytes of serialized arguments: a buffer, and at one place of it bytes that the caller lends until the
/// call ends. The lent bytes are copied when the call joins a batch, or when a sender needs the arguments in one piece.
/// Owned by one call, and reused with it.</summary>
internal sealed class ArgumentBuffer(int initialBytes) : ISlimLendingOutput
{
    private readonly WireBuffer _bytes = new(initialBytes, int.MaxValue);
    private ReadOnlyMemory<byte> _lent;
    private int _lentAt;

    /// <summary>The most bytes of the arguments.</summary>
    public int BytesMax { set => _bytes.BytesMax = value; }

    public int Count => _bytes.Count + _lent.Length;

    /// <summary>The arguments, for a copy that is made at once.</summary>
    public EnvelopeBody Body => _lent.IsEmpty
        ? _bytes.WrittenSpan
        : new EnvelopeBody(_bytes.WrittenSpan[.._lentAt], _lent.Span, _bytes.WrittenSpan[_lentAt..]);

    /// <summary>The arguments in one piece.</summary>
    public WireBuffer Joined()
    {
        if (!_lent.IsEmpty)
        {
            _bytes.Insert(_lentAt, _lent.Span);
            ForgetLent();
        }

        return _bytes;
    }

    public bool TryLend(ReadOnlyMemory<byte> bytes)
    {
        if (!_lent.IsEmpty)
            return false;
        if ((long)_bytes.Count + bytes.Length > _bytes.BytesMax)
            throw new WireLimitException(_bytes.Count + (long)bytes.Length, _bytes.BytesMax);
        (_lent, _lentAt) = (bytes, _bytes.Count);
        return true;
    }

    public void Advance(int count)
    {
        _bytes.Advance(count);
        if (Count > _bytes.BytesMax)
            throw new WireLimitException(Count, _bytes.BytesMax);
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => _bytes.GetMemory(sizeHint);

    public Span<byte> GetSpan(int sizeHint = 0) => _bytes.GetSpan(sizeHint);

    public void Reset()
    {
        _bytes.Reset();
        ForgetLent();
    }

    private void ForgetLent() => (_lent, _lentAt) = (default, 0);
}
