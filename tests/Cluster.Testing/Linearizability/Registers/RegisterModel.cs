namespace Cluster.Testing.Linearizability.Registers;

/// <summary>A register: reads, writes, conditional writes, deletes and additions. Stateless.</summary>
public sealed class RegisterModel : IHistoryModel<long?, RegisterOperation, RegisterResult>
{
    /// <summary>The only instance.</summary>
    public static RegisterModel Instance { get; } = new();

    /// <inheritdoc />
    public long? Initial => null;

    /// <inheritdoc />
    public bool IsRead(RegisterOperation operation) => operation.Action == RegisterAction.Read;

    /// <inheritdoc />
    public int Branches(RegisterOperation operation) =>
        operation.Action == RegisterAction.ReadOrWrite ? 2 : 1;

    /// <inheritdoc />
    public bool TryApply(
        RegisterOperation operation, RegisterResult? result, long? state, int branch, out long? after)
    {
        after = operation.Action switch
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

        return result is not { } known || Fits(operation, known, state, after);
    }

    private static bool Fits(RegisterOperation operation, RegisterResult result, long? state, long? after) =>
        operation.Action switch
        {
            RegisterAction.Read => result.Value == state,
            RegisterAction.Write or RegisterAction.Delete => result.Flag is not { } found || found == state.HasValue,
            RegisterAction.CompareAndSwap =>
                result.Flag is not { } swapped || swapped == (state == operation.Expected),
            RegisterAction.Increment => result.Value is not { } sum || sum == after,
            RegisterAction.ReadOrWrite => result.Value == (state ?? operation.Value),
            _ => throw new InvalidOperationException($"No register does {operation.Action}."),
        };
}
