namespace Cluster.Glue.Contracts;

/// <summary>How a contract method hands back its result.</summary>
internal enum ReturnShape
{
    Synchronous,
    Task,
    ValueTask,
}
