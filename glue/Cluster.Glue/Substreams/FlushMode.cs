namespace Cluster.Glue.Substreams;

/// <summary>When the batch that holds an envelope is sent.</summary>
internal enum FlushMode
{
    /// <summary>Soon: a pool item sends the batch; other envelopes may join it meanwhile.</summary>
    Soon,

    /// <summary>At once, on the calling thread until a write has to wait: no other envelope is expected.</summary>
    Now,

    /// <summary>Later, with the envelopes that follow: the appending thread itself must call
    /// <see cref="SubstreamWriter.SendHeld"/> afterwards.</summary>
    Held,
}
