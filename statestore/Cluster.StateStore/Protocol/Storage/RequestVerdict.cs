namespace Cluster.StateStore.Protocol.Storage;

/// <summary>What a partition knows about a request id.</summary>
internal enum RequestVerdict
{
    /// <summary>The request has not taken effect here.</summary>
    New,

    /// <summary>The request took effect, and its answer is known.</summary>
    Answered,

    /// <summary>The answer is no longer known: nobody can tell whether the request took effect.</summary>
    Forgotten,
}
