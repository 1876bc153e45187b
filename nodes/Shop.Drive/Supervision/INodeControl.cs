namespace Shop.Drive.Supervision;

/// <summary>What keys, page and plan may do to the nodes. Safe for concurrent use.</summary>
internal interface INodeControl
{
    /// <summary>How many nodes have been killed so far.</summary>
    int KilledCount { get; }

    /// <summary>Kills a node as a crash would.</summary>
    /// <param name="name">Which one; <c>null</c> for the last one that runs.</param>
    /// <returns>The name of the killed node, or <c>null</c> when there is none to kill.</returns>
    string? Kill(string? name);

    /// <summary>Starts a node again that has ended.</summary>
    /// <param name="name">Which one; <c>null</c> for the first one that does not run.</param>
    /// <returns>The name of the started node, or <c>null</c> when there is none to start.</returns>
    string? Restart(string? name);
}
