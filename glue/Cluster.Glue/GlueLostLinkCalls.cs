namespace Cluster.Glue;

/// <summary>What a server does with the calls of a peer whose link was lost and not resumed in time.</summary>
public enum GlueLostLinkCalls
{
    /// <summary>Their cancellation tokens are cancelled: nobody waits for the results. The default.</summary>
    Cancel,

    /// <summary>They run on to their end or deadline, for work that shall not stop in the middle.</summary>
    RunOn,
}
