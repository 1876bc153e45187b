namespace Cluster.Nodes.AspNetCore.Sessions;

/// <summary>Replaces a typed value of a session.</summary>
/// <param name="value">The new value; null removes the value.</param>
internal sealed class ReplaceState(object? value)
{
    /// <summary>Replaces the value.</summary>
    /// <returns>Whether there was one.</returns>
    public object Apply(ref object? state)
    {
        var hadValue = state is not null;
        state = value;
        return hadValue;
    }
}
