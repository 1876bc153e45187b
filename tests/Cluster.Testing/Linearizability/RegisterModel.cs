namespace Cluster.Testing.Linearizability;

/// <summary>What a register does when operations come one after the other: the truth of the checker.
/// Stateless.</summary>
internal static class RegisterModel
{
    /// <summary>In how many ways an operation may go.</summary>
    public static int Branches(RegisterOperation operation) =>
        operation.Action == RegisterAction.ReadOrWrite ? 2 : 1;

    /// <summary>The state after an operation, or false where it cannot have had this result in this state. A missing
    /// result fits every one.</summary>
    public static bool TryApply(
        RegisterOperation operation, RegisterResult? result, long? state, int branch, out long? next)
    {
        next = operation.Action switch
        {
            RegisterAction.Write => operation.Value,
            RegisterAction.CompareAndSwap => state == operation.Expected ? operation.Value : state,
            RegisterAction.Delete => null,
            RegisterAction.Increment => (state ?? 0) + operation.Value,
            RegisterAction.ReadOrWrite when branch == 0 => state ?? operation.Value,
            _ => state,
        };
        if (operation.Action == RegisterAction.ReadOrWrite && branch == 1 && state is not null)
            return false;

        return result is not { } known || Fits(operation, known, state, next);
    }

    private static bool Fits(RegisterOperation operation, RegisterResult result, long? state, long? next) =>
        operation.Action switch
        {
            RegisterAction.Read => result.Value == state,
            RegisterAction.Write or RegisterAction.Delete => result.Flag is not { } found || found == state.HasValue,
            RegisterAction.CompareAndSwap =>
                result.Flag is not { } swapped || swapped == (state == operation.Expected),
            RegisterAction.Increment => result.Value is not { } sum || sum == next,
            RegisterAction.ReadOrWrite => result.Value == (state ?? operation.Value),
            _ => throw new InvalidOperationException($"No register does {operation.Action}."),
        };
}
