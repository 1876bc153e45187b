namespace Shop.Drive.Supervision;

/// <summary>The operations on nodes that keys, the page and the kill timer may use. Safe for concurrent use.</summary>
internal interface INodeControl
{
    int KilledCount { get; }

    /// <summary>Kills a node as a crash would.</summary>
    /// <param name="name">The node's name; <c>null</c>: the last node that runs.</param>
    /// <returns>The name of the killed node; <c>null</c> if no such node runs.</returns>
    string? Kill(string? name);

    /// <summary>Starts an ended node again.</summary>
    /// <param name="name">The node's name; <c>null</c>: the first node that does not run.</param>
    /// <returns>The name of the started node; <c>null</c> if no such node has ended.</returns>
    string? Restart(string? name);

    /// <summary>Freezes a node for <see cref="NodeSupervisor.PauseTime"/>.</summary>
    /// <param name="name">The node's name; <c>null</c>: the last node that runs.</param>
    /// <returns>The name of the node; <c>null</c> if no such node runs, or where the system cannot do that.</returns>
    string? Pause(string? name);

    /// <summary>Begins to restart all nodes, one after the other.</summary>
    /// <returns>False: that happens already, or a node has ended.</returns>
    bool RestartAll();
}
