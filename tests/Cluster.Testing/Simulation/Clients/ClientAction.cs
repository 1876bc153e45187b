namespace Cluster.Testing.Simulation.Clients;

/// <summary>What a client asks for.</summary>
public enum ClientAction
{
    /// <summary>Returns the value and its version, or that there is none.</summary>
    Get,

    /// <summary>Sets the value, with the time to live of the request.</summary>
    Put,

    /// <summary>Sets the value if the entry has the expected version; version zero expects no entry.</summary>
    PutIfVersion,

    /// <summary>Removes the entry; tells whether there was one.</summary>
    Remove,

    /// <summary>Starts the time to live again; tells whether there was an entry.</summary>
    Touch,

    /// <summary>Runs on the owner: adds the argument to the number and returns the sum. No entry counts as
    /// zero.</summary>
    Increment,

    /// <summary>Runs on the owner: appends the argument to the list and returns the whole list.</summary>
    Append,
}
