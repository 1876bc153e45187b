namespace Cluster.Testing.Linearizability.Versions;

/// <summary>An entry with a version: compare-and-set as the states of the cluster do it. The object chooses the versions,
/// and answers tell them; a later version is higher. Stateless.</summary>
public sealed class VersionedModel : IHistoryModel<VersionedEntry, VersionedOperation, VersionedResult>
{
    /// <summary>The only instance.</summary>
    public static VersionedModel Instance { get; } = new();

    /// <inheritdoc />
    public VersionedEntry Initial => VersionedEntry.None;

    /// <inheritdoc />
    public bool IsRead(VersionedOperation operation) => operation.Action is VersionedAction.Get or VersionedAction.Touch;

    /// <inheritdoc />
    public long? OrderOf(VersionedResult result) => result.Version is > 0 ? result.Version : null;

    // An entry whose version nobody has told may or may not have the expected one.
    /// <inheritdoc />
    public int Branches(VersionedOperation operation) => operation.Action == VersionedAction.PutIfVersion ? 2 : 1;

    /// <inheritdoc />
    public bool TryApply(
        VersionedOperation operation,
        VersionedResult? result,
        VersionedEntry state,
        int branch,
        out VersionedEntry after)
    {
        after = state;
        switch (operation.Action)
        {
            case VersionedAction.Get:
                return result is not { } read || (read.Value == state.Value && TryLearn(state, read.Version, out after));
            case VersionedAction.Touch:
                return Fits(result?.Flag, state.Exists);
            case VersionedAction.Remove:
                after = VersionedEntry.None with { Highest = state.Highest };
                return Fits(result?.Flag, state.Exists);
            case VersionedAction.Increment:
                var sum = (state.Value ?? 0) + operation.Value;
                return Fits(result?.Value, sum) && TrySet(state, sum, result?.Version, out after);
            case VersionedAction.PutIfVersion:
                return TryPutIf(operation, result, (state, branch), out after);
            default:
                return TrySet(state, operation.Value, result?.Version, out after);
        }
    }

    private static bool TryPutIf(
        VersionedOperation operation,
        VersionedResult? result,
        (VersionedEntry State, int Branch) before,
        out VersionedEntry after)
    {
        var (state, branch) = before;
        after = state;
        if (state.Version is null ? branch == 0 && operation.Expected == 0 : branch == 1)
            return false;
        var isMet = state.Version is { } version ? version == operation.Expected : branch == 0;
        if (!Fits(result?.Flag, isMet))
            return false;
        return isMet
            ? TrySet(state, operation.Value, result?.Version, out after)
            : TryLearn(state, result?.Version, out after);
    }

    private static bool TrySet(VersionedEntry state, long value, long? version, out VersionedEntry after)
    {
        after = new VersionedEntry(value, version, version ?? state.Highest);
        return version is null || version > state.Highest;
    }

    private static bool TryLearn(VersionedEntry state, long? version, out VersionedEntry after)
    {
        after = state;
        if (version is null || version == state.Version)
            return true;
        after = state with { Version = version, Highest = version.Value };
        return state.Version is null && version > state.Highest;
    }

    private static bool Fits<T>(T? told, T real)
        where T : struct =>
        told is not { } value || EqualityComparer<T>.Default.Equals(value, real);
}
