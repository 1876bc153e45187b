using System.Runtime.ExceptionServices;

namespace Cluster.Pile.Caching.Flights;

/// <summary>The result of a load for the callers that waited for it: a value, a failure, or neither, when they must try
/// themselves. Immutable.</summary>
internal sealed class FlightOutcome<TValue>
{
    /// <summary>The loader was cancelled, or a change of the key overtook it.</summary>
    public static readonly FlightOutcome<TValue> Again = new(hasValue: false, default, null);

    private readonly TValue? _value;
    private readonly ExceptionDispatchInfo? _failure;

    private FlightOutcome(bool hasValue, TValue? value, ExceptionDispatchInfo? failure)
    {
        HasValue = hasValue;
        _value = value;
        _failure = failure;
    }

    public bool HasValue { get; }

    /// <summary>The value, which all waiting callers share.</summary>
    public TValue Value => _value!;

    public static FlightOutcome<TValue> Of(TValue value) => new(hasValue: true, value, null);

    public static FlightOutcome<TValue> Of(Exception failure) =>
        new(hasValue: false, default, ExceptionDispatchInfo.Capture(failure));

    public void ThrowIfFailed() => _failure?.Throw();
}
