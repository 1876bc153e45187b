namespace Cluster.Testing.Linearizability;

/// <summary>The effect of sequential operations on a register: the checker compares histories with it.
/// Stateless.</summary>
internal static class RegisterModel
{
    /// <summary>The number of possible effects of an operation.</summary>
    public static int Branches(RegisterOperation operation) =>
        operation.Action == RegisterAction.ReadOrWrite ? 2 : 1;

    /// <summary>Computes the state after an operation. Returns false if the operation cannot have this result in this
    /// state. A null result fits every state.</summary>
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
