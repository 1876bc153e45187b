namespace Cluster.StateStore.Hosting.States;

/// <summary>All states that a process knows, by name and by the id that stands for the name in messages and records.
/// Frozen.</summary>
public sealed class StateCatalog
{
    private readonly StateDefinition[] _definitions;
    private readonly Dictionary<uint, int> _ordinals = [];

    /// <summary>Makes the catalog.</summary>
    /// <param name="definitions">The states.</param>
    /// <exception cref="ArgumentException">Two of them cannot be told apart.</exception>
    public StateCatalog(IEnumerable<StateDefinition> definitions)
    {
        ArgumentNullException.ThrowIfNull(definitions);
        _definitions = [.. definitions];
        for (var ordinal = 0; ordinal < _definitions.Length; ordinal++)
        {
            var definition = _definitions[ordinal];
            if (_ordinals.TryAdd(definition.Id, ordinal))
                continue;
            var other = _definitions[_ordinals[definition.Id]];
            throw new ArgumentException(
                other.Name == definition.Name
                    ? $"The state '{definition.Name}' is registered twice; each name can be registered once."
                    : $"The names of the states '{other.Name}' and '{definition.Name}' have the same hash; rename one "
                        + "of them.",
                nameof(definitions));
        }
    }

    /// <summary>The states, in the order of their registration.</summary>
    public IReadOnlyList<StateDefinition> Definitions => _definitions;

    internal int Count => _definitions.Length;

    internal StateDefinition this[int ordinal] => _definitions[ordinal];

    /// <summary>The place of a state that is in the catalog.</summary>
    internal int OrdinalOf(uint stateId) => _ordinals[stateId];

    internal bool TryFind(uint stateId, out int ordinal) => _ordinals.TryGetValue(stateId, out ordinal);
}
