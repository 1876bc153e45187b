namespace Cluster.Testing.Linearizability;

/// <summary>Searches for an order of the calls on one register: depth first, one call after the other. It remembers the
/// pairs (set of ordered calls, state) that it has tried. Used once, by one thread.</summary>
/// <remarks>A call may come next if it began before any other remaining call ended. Calls with an unknown outcome are
/// tried last, and only if the next call needs their effect. Without this rule each of them could be anywhere in the
/// order, and the search would not end.</remarks>
internal sealed class LinearizationSearch<TKey>
    where TKey : notnull
{
    private const int NamedMax = 8;

    private readonly RegisterCall<TKey>[] _calls;
    private readonly UInt128[] _tokens;
    private readonly PendingCalls _known;
    private readonly PendingCalls _unknown;
    private readonly HashSet<(UInt128 Calls, long? State)> _seen = [];
    private readonly Stack<LinearizationStep> _order = new();
    private readonly long _stepsMax;
    private int _knownLeft;
    private int _deepest = -1;

    public LinearizationSearch(RegisterCall<TKey>[] calls, long stepsMax)
    {
        _stepsMax = stepsMax;
        // A read without a recorded answer proves nothing.
        _calls = [.. calls.Where(call => call.IsKnown || call.Operation.Action != RegisterAction.Read)
            .OrderBy(call => call.Began)];
        var random = new Random(_calls.Length);
        _tokens = new UInt128[_calls.Length];
        for (var i = 0; i < _calls.Length; i++)
            _tokens[i] = new UInt128((ulong)random.NextInt64(), (ulong)random.NextInt64());

        _known = new PendingCalls(_calls.Length, i => _calls[i].IsKnown);
        _unknown = new PendingCalls(_calls.Length, i => !_calls[i].IsKnown);
        _knownLeft = _calls.Count(call => call.IsKnown);
    }

    /// <summary>The calls that did not fit, after a run that found no order.</summary>
    public string Explanation { get; private set; } = "";

    public LinearizabilityOutcome Run()
    {
        var step = NewStep(state: null, calls: 0);
        for (long steps = 0; _knownLeft > 0; steps++)
        {
            if (steps >= _stepsMax)
            {
                Explanation = $"no order found in {_stepsMax:N0} steps. {Explanation}";
                return LinearizabilityOutcome.Undecided;
            }

            if (TryFindNext(ref step))
            {
                Take(step);
                step = NewStep(step.After, step.CallsBefore ^ _tokens[step.Call]);
                continue;
            }

            Explain(step);
            if (!_order.TryPop(out step))
                return LinearizabilityOutcome.NotLinearizable;

            GiveBack(step);
        }

        return LinearizabilityOutcome.Linearizable;
    }

    private LinearizationStep NewStep(long? state, UInt128 calls)
    {
        var horizon = long.MaxValue;
        for (var i = _known.First; i != PendingCalls.None && _calls[i].Began <= horizon; i = _known.After(i))
            horizon = Math.Min(horizon, _calls[i].Ended);

        return new LinearizationStep { Call = PendingCalls.None, Before = state, CallsBefore = calls, Horizon = horizon };
    }

    // Continues after the call and branch that the step tried last.
    private bool TryFindNext(ref LinearizationStep step)
    {
        while (TryAdvance(ref step))
        {
            var call = _calls[step.Call];
            var isPossible = RegisterModel.TryApply(
                call.Operation, call.IsKnown ? call.Result : null, step.Before, step.Branch, out var next);
            if (!isPossible || IsPointless(step, next))
                continue;

            step.After = next;
            if (_seen.Add((step.CallsBefore ^ _tokens[step.Call], next)))
                return true;
        }

        return false;
    }

    private bool TryAdvance(ref LinearizationStep step)
    {
        if (step.Call != PendingCalls.None && step.Branch + 1 < RegisterModel.Branches(_calls[step.Call].Operation))
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
        return next != PendingCalls.None && _calls[next].Began <= step.Horizon;
    }

    // A call with an unknown outcome helps only if it changes the state and the next call would have another result
    // without it.
    private bool IsPointless(in LinearizationStep step, long? next)
    {
        var call = _calls[step.Call];
        if (!call.IsKnown && (next == step.Before || HasEqualBefore(step.Call)))
            return true;

        return _order.TryPeek(out var last)
            && !_calls[last.Call].IsKnown
            && RegisterModel.TryApply(
                call.Operation, call.IsKnown ? call.Result : null, last.Before, step.Branch, out var without)
            && without == next;
    }

    // Of several equal calls, the one that began first can take the place of any other, so trying one of them is
    // enough.
    private bool HasEqualBefore(int call)
    {
        for (var i = _unknown.First; i != call; i = _unknown.After(i))
        {
            if (_calls[i].Operation == _calls[call].Operation)
                return true;
        }

        return false;
    }

    private void Take(in LinearizationStep step)
    {
        var isKnown = _calls[step.Call].IsKnown;
        (isKnown ? _known : _unknown).Remove(step.Call);
        _knownLeft -= isKnown ? 1 : 0;
        _order.Push(step);
    }

    private void GiveBack(in LinearizationStep step)
    {
        var isKnown = _calls[step.Call].IsKnown;
        (isKnown ? _known : _unknown).Restore(step.Call);
        _knownLeft += isKnown ? 1 : 0;
    }

    private void Explain(in LinearizationStep step)
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

        var state = step.Before is { } value ? $"{value}" : "absent";
        Explanation = $"after {_deepest:N0} of {_calls.Length:N0} calls the value is {state}, "
            + $"and none of these can come next: {string.Join("; ", named)}";
    }
}
