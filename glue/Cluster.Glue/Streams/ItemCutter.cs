using Cluster.Glue.Wire;
using Cluster.Slim.Hosting;

namespace Cluster.Glue.Streams;

/// <summary>Cuts the received pieces of a stream into items: most items lie whole in one piece, others are put together
/// from several. Used only by the reader of the stream.</summary>
internal sealed class ItemCutter(int itemBytesMax)
{
    private readonly WireBuffer _split = new(0, int.MaxValue);
    private ArrivedItems _piece;
    private int _at;
    private bool _isSplitDone;

    /// <summary>Bytes taken from pieces since the last credit. The reader resets it when it gives them back as
    /// credit.</summary>
    public int TakenBytes { get; set; }

    /// <summary>Whether only the beginning of an item has arrived.</summary>
    public bool IsInside => _split.Count > 0 && !_isSplitDone;

    /// <summary>Cuts the next whole item, which is valid until the next call. False: another piece is needed
    /// first.</summary>
    /// <exception cref="WireException">The item's length is larger than allowed.</exception>
    public bool TryCut(out ReadOnlyMemory<byte> item)
    {
        if (_isSplitDone)
        {
            _isSplitDone = false;
            _split.Reset();
        }

        item = default;
        return _split.Count > 0 ? TryCompleteSplit(out item) : TryCutPiece(out item);
    }

    /// <summary>Takes the next piece after the last one is used up, and returns the last piece's array.</summary>
    public void Add(ArrivedItems piece)
    {
        Drop();
        _piece = piece;
        _at = 0;
    }

    public void Drop()
    {
        if (_piece.Array is not null)
            _piece.Return();
        _piece = default;
        _at = 0;
    }

    private bool TryCutPiece(out ReadOnlyMemory<byte> item)
    {
        item = default;
        ReadOnlySpan<byte> rest = _piece.Array.AsSpan(_at, _piece.Length - _at);
        if (rest.IsEmpty)
            return false;
        if (!TryReadLength(rest, out var head, out var length) || head + length > rest.Length)
        {
            _split.WriteBytes(rest);
            Take(rest.Length);
            return false;
        }

        item = _piece.Array.AsMemory(_at + head, length);
        Take(head + length);
        return true;
    }

    private bool TryCompleteSplit(out ReadOnlyMemory<byte> item)
    {
        item = default;
        while (true)
        {
            var needed = TryReadLength(_split.WrittenSpan, out var head, out var length)
                ? head + length - _split.Count
                : 1;
            if (needed == 0)
            {
                item = _split.WrittenMemory[head..];
                _isSplitDone = true;
                return true;
            }

            var taken = Math.Min(needed, _piece.Length - _at);
            if (taken == 0)
                return false;
            _split.WriteBytes(_piece.Array.AsSpan(_at, taken));
            Take(taken);
        }
    }

    private void Take(int count)
    {
        _at += count;
        TakenBytes += count;
    }

    private bool TryReadLength(ReadOnlySpan<byte> bytes, out int head, out int length)
    {
        length = 0;
        if (!Varint.TryRead(bytes, out var value, out head))
        {
            if (bytes.Length >= Varint.BytesMax)
                throw new WireException("item length: longer than 64 bits.");
            head = 0;
            return false;
        }

        if (value > (ulong)itemBytesMax)
            throw new WireException($"item length: {value} is above the limit of {itemBytesMax}.");
        length = (int)value;
        return true;
    }
}
