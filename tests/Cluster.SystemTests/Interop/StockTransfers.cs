namespace Cluster.SystemTests.Interop;

/// <summary>Assembles large envelopes from the chunks of one substream. Not thread-safe.</summary>
internal sealed class StockTransfers
{
    private readonly Dictionary<ulong, (int Length, byte[] Head, MemoryStream Body)> _open = [];
    private ulong _begun;

    /// <summary>Returns the envelope itself, or the one that this chunk completes; null if chunks are still
    /// missing.</summary>
    public StockEnvelope? Take(StockEnvelope one)
    {
        if (one.Kind != StockKind.Chunk)
            return one;
        if (one.CallId > _begun)
        {
            _begun = one.CallId;
            var reader = new StockReader(one.Body);
            _open[one.CallId] = (reader.Count(), reader.Rest, new MemoryStream());
            return null;
        }

        (var length, var head, var body) = _open[one.CallId];
        body.Write(one.Body);
        if (body.Length < length)
            return null;
        _open.Remove(one.CallId);
        return StockEnvelope.Read([.. head, .. StockWire.Block(body.ToArray())]);
    }
}
