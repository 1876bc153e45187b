using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Counters;
using Cluster.Testing.Linearizability.Lists;
using Cluster.Testing.Linearizability.Maps;
using Cluster.Testing.Linearizability.Registers;
using Cluster.Testing.Linearizability.Versions;

namespace Cluster.ConventionTests.TestKit.Linearizability;

/// <summary>An object whose histories tests make: its model, random requests to it, and what it really does. Immutable.
/// </summary>
/// <param name="Model">The model.</param>
/// <param name="Draw">Draws a request; the number is unique in the history.</param>
/// <param name="Run">Carries a request out.</param>
internal sealed record SampleObject<TState, TOperation, TResult>(
    IHistoryModel<TState, TOperation, TResult> Model,
    Func<Random, long, TOperation> Draw,
    Func<TOperation, TState, long, (TState After, TResult Answer)> Run)
    where TResult : struct;

/// <summary>The objects. Stateless.</summary>
internal static class SampleObjects
{
    public static SampleObject<long?, RegisterOperation, RegisterResult> Register { get; } = new(
        RegisterModel.Instance,
        static (random, number) => random.Next(4) switch
        {
            0 => RegisterOperation.Write(number),
            1 => RegisterOperation.CompareAndSwap(random.Next(2) == 0 ? null : number - 1, number),
            2 => RegisterOperation.Delete(),
            _ => RegisterOperation.Read(),
        },
        static (operation, state, _) => operation.Action switch
        {
            RegisterAction.Write => (operation.Value, RegisterResult.Of(state.HasValue)),
            RegisterAction.Delete => (null, RegisterResult.Of(state.HasValue)),
            RegisterAction.CompareAndSwap when state == operation.Expected =>
                (operation.Value, RegisterResult.Of(true)),
            RegisterAction.CompareAndSwap => (state, RegisterResult.Of(false)),
            _ => (state, RegisterResult.Of(state)),
        });

    public static SampleObject<VersionedEntry, VersionedOperation, VersionedResult> Versioned { get; } = new(
        VersionedModel.Instance,
        static (random, number) => (VersionedAction)random.Next(6) switch
        {
            VersionedAction.PutIfVersion => new(
                VersionedAction.PutIfVersion, number, random.Next(3) == 0 ? 0 : Math.Max(0, number - random.Next(4))),
            var action => new(action, number),
        },
        static (operation, state, number) =>
        {
            var version = number + 1;
            switch (operation.Action)
            {
                case VersionedAction.Get:
                    return (state, new(Value: state.Value, Version: state.Version));
                case VersionedAction.Put:
                    return (new(operation.Value, version, version), new(Version: version));
                case VersionedAction.PutIfVersion when state.Version == operation.Expected:
                    return (new(operation.Value, version, version), new(true, Version: version));
                case VersionedAction.PutIfVersion:
                    return (state, new(false, Version: state.Version));
                case VersionedAction.Increment:
                    var sum = (state.Value ?? 0) + operation.Value;
                    return (new(sum, version, version), new(Value: sum, Version: version));
                case VersionedAction.Remove:
                    return (VersionedEntry.None with { Highest = state.Highest }, new(state.Exists));
                default:
                    return (state, new(state.Exists));
            }
        });

    public static SampleObject<long, CounterOperation, CounterResult> Counter { get; } = new(
        CounterModel.Instance,
        static (random, _) => new CounterOperation(random.Next(4)),
        static (operation, state, _) => (state + operation.By, new CounterResult(state + operation.By)));

    public static SampleObject<AppendedList, AppendOperation, AppendResult> List { get; } = new(
        AppendModel.Instance,
        static (random, number) => new AppendOperation(random.Next(3) == 0 ? null : number),
        static (operation, state, _) =>
        {
            var after = operation.Item is { } item ? state.Add(item) : state;
            return (after, new AppendResult(after));
        });

    public static SampleObject<MapState, MapOperation, MapResult> Map { get; } = new(
        MapModel.Instance,
        static (random, number) => new MapOperation((MapAction)random.Next(4), $"key {random.Next(20)}", number),
        static (operation, state, _) => operation.Action switch
        {
            MapAction.Put => (
                state.With(operation.Key, operation.Value), new(Found: state.Find(operation.Key).HasValue)),
            MapAction.Remove => (state.With(operation.Key, null), new(Found: state.Find(operation.Key).HasValue)),
            MapAction.Count => (state, new(state.Count)),
            _ => (state, new(state.Find(operation.Key))),
        });
}
