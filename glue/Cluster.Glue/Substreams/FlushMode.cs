namespace Cluster.Glue.Substreams;

/// <summary>When the batch leaves that an envelope has joined.</summary>
internal enum FlushMode
{
    /// <summary>Soon: a pool item sends it, and others may join meanwhile.</summary>
    Soon,

    /// <summary>At once, on this thread as far as that needs no waiting: nobody is about to join.</summary>
    Now,

    /// <summary>With what follows: the thread that appends calls <see cref="SubstreamWriter.SendHeld"/> afterwards, on
    /// the same thread.</summary>
    Held,
}
