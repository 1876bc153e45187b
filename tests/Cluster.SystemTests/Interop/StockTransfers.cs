namespace Cluster.SystemTests.Interop;

/// <summary>Puts large envelopes together whose chunks come on one lane. For one user at a time.</summary>
internal sealed class StockTransfers
{
    private readonly Dictionary<ulong, (int Length, byte[] Head, MemoryStream Body)> _open = [];
    private ulong _begun;

    /// <summary>The envelope itself, the one that its chunk completes, or null.</summary>
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
