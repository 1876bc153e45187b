namespace Cluster.Testing.Linearizability.Maps;

/// <summary>A map that is also counted as a whole, so all its keys are judged together: one partition. Stateless.</summary>
public sealed class MapModel : IHistoryModel<MapState, MapOperation, MapResult>
{
    /// <summary>The only instance.</summary>
    public static MapModel Instance { get; } = new();

    /// <inheritdoc />
    public MapState Initial => MapState.Empty;

    /// <inheritdoc />
    public bool IsRead(MapOperation operation) => operation.Action is MapAction.Get or MapAction.Count;

    /// <inheritdoc />
    public bool TryApply(MapOperation operation, MapResult? result, MapState state, int branch, out MapState after)
    {
        ArgumentNullException.ThrowIfNull(state);
        var present = state.Find(operation.Key);
        after = operation.Action switch
        {
            MapAction.Put => state.With(operation.Key, operation.Value),
            MapAction.Remove => state.With(operation.Key, null),
            _ => state,
        };
        return result is not { } answer || operation.Action switch
        {
            MapAction.Get => answer.Number == present,
            MapAction.Count => answer.Number == state.Count,
            _ => answer.Found is not { } found || found == present.HasValue,
        };
    }
}
