namespace Cluster.Glue.Sessions;

/// <summary>Calls that a server runs for clients of the same process, without a link. The server ends them when it
/// stops.</summary>
internal interface ILocalCalls
{
    /// <summary>Completes when none of the one-way calls runs.</summary>
    Task WaitForOneWaysAsync();

    /// <summary>Cancels all running calls, also those whose answer a caller waits for.</summary>
    void CancelServed();
}
