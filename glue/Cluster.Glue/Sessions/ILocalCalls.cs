namespace Cluster.Glue.Sessions;

/// <summary>Calls that a server runs and that came over no link: their end, when the server stops.</summary>
internal interface ILocalCalls
{
    /// <summary>Completes when none of the one-way calls runs.</summary>
    Task WaitForOneWaysAsync();

    /// <summary>Cancels all calls that run, also those that a caller waits for.</summary>
    void CancelServed();
}
