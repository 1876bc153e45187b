namespace Cluster.Testing.Linearizability.Lists;

/// <summary>A list that items are appended to, and that is read as a whole. Stateless.</summary>
public sealed class AppendModel : IHistoryModel<AppendedList, AppendOperation, AppendResult>
{
    /// <summary>The only instance.</summary>
    public static AppendModel Instance { get; } = new();

    /// <inheritdoc />
    public AppendedList Initial => default;

    /// <inheritdoc />
    public bool IsRead(AppendOperation operation) => operation.Item is null;

    /// <inheritdoc />
    public bool TryApply(
        AppendOperation operation, AppendResult? result, AppendedList state, int branch, out AppendedList after)
    {
        after = operation.Item is { } item ? state.Add(item) : state;
        return result?.List is not { } list || list == after;
    }
}

/// <summary>A request to a list. Immutable.</summary>
/// <param name="Item">What is appended; null: the list is read.</param>
public readonly record struct AppendOperation(long? Item);

/// <summary>The answer of a list. Immutable.</summary>
/// <param name="List">The list afterwards; null: the answer does not tell.</param>
public readonly record struct AppendResult(AppendedList? List);
