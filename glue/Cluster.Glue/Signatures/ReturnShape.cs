namespace Cluster.Glue.Signatures;

/// <summary>How a contract method hands back its result.</summary>
internal enum ReturnShape
{
    Synchronous,
    Task,
    ValueTask,

    /// <summary>A stream: the call is made when it is read.</summary>
    Stream,
}
