namespace Cluster.Testing.Linearizability;

/// <summary>Searches for an order of the calls on one object: depth first, one call after the other. It remembers the
/// pairs (set of ordered calls, state) that it has tried. Used once, by one thread.</summary>
/// <remarks>A call may come next if it began before any other remaining call ended. Calls with an unknown outcome are
/// tried last, and only if the next call needs their effect. Without this rule each of them could be anywhere in the
/// order, and the search would not end. For the same reason the search first allows one of them in a row, then two, then
/// four, and so on: few are needed where an order exists.</remarks>
internal sealed class LinearizationSearch<TKey, TState, TOperation, TResult>
    where TKey : notnull
    where TResult : struct
{
    private const int NamedMax = 8;

    private readonly HistoryCall<TKey, TOperation, TResult>[] _calls;
    private readonly IHistoryModel<TState, TOperation, TResult> _model;
    private readonly UInt128[] _tokens;
    private readonly long?[] _orders;
    private readonly long[] _ordersInOrder;
    private readonly PendingCalls _known;
    private readonly PendingCalls _unknown;
    private readonly HashSet<(UInt128 Calls, TState State)> _seen = [];
    private readonly Stack<LinearizationStep<TState>> _order = new();
    private readonly long _stepsMax;
    private int _knownLeft;
    private int _orderedTaken;
    private int _unknownsMax = 1;
    private bool _wasCut;
    private int _deepest = -1;

    public LinearizationSearch(
        HistoryCall<TKey, TOperation, TResult>[] calls,
        IHistoryModel<TState, TOperation, TResult> model,
        long stepsMax)
    {
        (_model, _stepsMax) = (model, stepsMax);
        // A read without a recorded answer proves nothing.
        _calls = [.. calls.Where(call => call.IsKnown || !model.IsRead(call.Operation))
            .OrderBy(call => call.Began)];
        var random = new Random(_calls.Length);
        _tokens = new UInt128[_calls.Length];
        for (var i = 0; i < _calls.Length; i++)
            _tokens[i] = new UInt128((ulong)random.NextInt64(), (ulong)random.NextInt64());

        _orders = [.. _calls.Select(call => call.Result is { } told ? model.OrderOf(told) : null)];
        _ordersInOrder = [.. _orders.OfType<long>().Order()];
        _known = new PendingCalls(_calls.Length, i => _calls[i].IsKnown);
        _unknown = new PendingCalls(_calls.Length, i => !_calls[i].IsKnown);
        _knownLeft = _calls.Count(call => call.IsKnown);
    }

    /// <summary>The steps that the search took.</summary>
    public long Steps { get; private set; }

    /// <summary>The calls that did not fit, after a run that found no order.</summary>
    public string Explanation { get; private set; } = "";

    public LinearizabilityOutcome Run()
    {
        while (true)
        {
            var outcome = RunOnce();
            if (outcome != LinearizabilityOutcome.NotLinearizable || !_wasCut)
                return outcome;
            _unknownsMax *= 2;
            _wasCut = false;
            _seen.Clear();
        }
    }

    private LinearizabilityOutcome RunOnce()
    {
        var step = NewStep(_model.Initial, calls: 0);
        for (; _knownLeft > 0; Steps++)
        {
            if (Steps >= _stepsMax)
            {
                Explanation = $"no order found in {_stepsMax:N0} steps. {Explanation}";
                return LinearizabilityOutcome.Undecided;
            }

            if (TryFindNext(ref step))
            {
                Take(step);
                var unknowns = _calls[step.Call].IsKnown ? 0 : step.UnknownsBefore + 1;
                step = NewStep(step.After, step.CallsBefore ^ _tokens[step.Call]) with { UnknownsBefore = unknowns };
                continue;
            }

            Explain(step);
            if (!_order.TryPop(out step))
                return LinearizabilityOutcome.NotLinearizable;

            GiveBack(step);
        }

        return LinearizabilityOutcome.Linearizable;
    }

    private LinearizationStep<TState> NewStep(TState state, UInt128 calls)
    {
        var horizon = long.MaxValue;
        for (var i = _known.First; i != PendingCalls.None && _calls[i].Began <= horizon; i = _known.After(i))
            horizon = Math.Min(horizon, _calls[i].Ended);

        return new LinearizationStep<TState>
        {
            Call = PendingCalls.None,
            Before = state,
            After = state,
            CallsBefore = calls,
            Horizon = horizon,
        };
    }

    // Continues after the call and branch that the step tried last.
    private bool TryFindNext(ref LinearizationStep<TState> step)
    {
        while (TryAdvance(ref step))
        {
            var call = _calls[step.Call];
            var isPossible = _model.TryApply(
                call.Operation, call.Result, step.Before, step.Branch, out var next);
            if (!isPossible || IsTooEarly(step.Call) || IsPointless(step, next))
                continue;

            step.After = next;
            if (_seen.Add((step.CallsBefore ^ _tokens[step.Call], next)))
                return true;
        }

        return false;
    }

    // Ordered calls are taken in their order, so the number taken tells which one is next.
    private bool IsTooEarly(int call) => _orders[call] is { } order && order > _ordersInOrder[_orderedTaken];

    private bool TryAdvance(ref LinearizationStep<TState> step)
    {
        if (step.Call != PendingCalls.None && step.Branch + 1 < _model.Branches(_calls[step.Call].Operation))
        {
            step.Branch++;
            return true;
        }

        step.Branch = 0;
        var wasKnown = step.Call == PendingCalls.None || _calls[step.Call].IsKnown;
        var next = step.Call == PendingCalls.None ? _known.First
            : wasKnown ? _known.After(step.Call) : _unknown.After(step.Call);
        if (wasKnown && (next == PendingCalls.None || _calls[next].Began > step.Horizon))
            next = _unknown.First;

        step.Call = next;
        if (next == PendingCalls.None || _calls[next].Began > step.Horizon)
            return false;
        var isCut = !_calls[next].IsKnown && step.UnknownsBefore >= _unknownsMax;
        _wasCut |= isCut;
        return !isCut;
    }

    // A call with an unknown outcome helps only if it changes the state and the next call would have another result
    // without it.
    private bool IsPointless(in LinearizationStep<TState> step, TState next)
    {
        var call = _calls[step.Call];
        if (!call.IsKnown && (AreEqual(next, step.Before) || HasEqualBefore(step.Call)))
            return true;

        return _order.TryPeek(out var last) && !_calls[last.Call].IsKnown && CanSwap(last, step, next);
    }

    // Whether the call could come before the call with an unknown outcome that is last in the order. Of two unknown
    // calls, only the later one is moved: otherwise each would wait for the other.
    private bool CanSwap(in LinearizationStep<TState> last, in LinearizationStep<TState> step, TState next)
    {
        var (call, unknown) = (_calls[step.Call], _calls[last.Call]);
        if (!_model.TryApply(call.Operation, call.Result, last.Before, step.Branch, out var without))
            return false;
        if (AreEqual(without, next))
            return true;
        return (call.IsKnown || step.Call < last.Call)
            && _model.TryApply(unknown.Operation, null, without, last.Branch, out var delayed)
            && AreEqual(delayed, next);
    }

    // Of several equal calls, the one that began first can take the place of any other, so trying one of them is
    // enough.
    private bool HasEqualBefore(int call)
    {
        for (var i = _unknown.First; i != call; i = _unknown.After(i))
        {
            if (EqualityComparer<TOperation>.Default.Equals(_calls[i].Operation, _calls[call].Operation))
                return true;
        }

        return false;
    }

    private static bool AreEqual(TState left, TState right) => EqualityComparer<TState>.Default.Equals(left, right);

    private void Take(in LinearizationStep<TState> step)
    {
        var isKnown = _calls[step.Call].IsKnown;
        (isKnown ? _known : _unknown).Remove(step.Call);
        _knownLeft -= isKnown ? 1 : 0;
        _orderedTaken += _orders[step.Call] is null ? 0 : 1;
        _order.Push(step);
    }

    private void GiveBack(in LinearizationStep<TState> step)
    {
        var isKnown = _calls[step.Call].IsKnown;
        (isKnown ? _known : _unknown).Restore(step.Call);
        _knownLeft += isKnown ? 1 : 0;
        _orderedTaken -= _orders[step.Call] is null ? 0 : 1;
    }

    private void Explain(in LinearizationStep<TState> step)
    {
        if (_order.Count <= _deepest)
            return;

        _deepest = _order.Count;
        var named = new List<string>();
        for (var i = _known.First; i != PendingCalls.None && named.Count < NamedMax; i = _known.After(i))
        {
            if (_calls[i].Began > step.Horizon)
                break;

            named.Add(_calls[i].ToString());
        }

        var state = step.Before?.ToString() is { Length: > 0 } value ? value : "absent";
        Explanation = $"after {_deepest:N0} of {_calls.Length:N0} calls the value is {state}, "
            + $"and none of these can come next: {string.Join("; ", named)}";
    }
}
