using Cluster.Slim.Errors;
using Cluster.Slim.Types;

namespace Cluster.Slim.Registry;

/// <summary>The types that <see cref="SlimOptions.TypeResolver"/> has given one serializer. Their number is bounded,
/// because a resolver may create a new type for each name and the runtime keeps every type. Safe for many
/// threads.</summary>
/// <param name="resolver">Finds types by name; null finds none.</param>
internal sealed class ResolvedTypes(Func<string, Type?>? resolver)
{
    /// <summary>The most types that a resolver may give one serializer.</summary>
    public const int CountMax = 4096;

    private readonly Lock _using = new();
    private readonly HashSet<Type> _types = [];

    /// <summary>The resolver's type for the name, or null. At the bound the resolver is not asked any more.</summary>
    public Type? Find(string name)
    {
        if (resolver is null)
            return null;
        CheckNesting(name);
        CheckCount(isNew: true);
        Type? type;
        try
        {
            type = resolver(name);
        }
        catch (Exception e) when (e is not SlimException and not OutOfMemoryException)
        {
            throw Throw.Failed($"SlimOptions.TypeResolver failed for the name {name}.", e);
        }

        if (type is not null)
            Keep(type);
        return type;
    }

    // Several threads may have asked at once; the last of them finds the bound reached.
    private void Keep(Type type)
    {
        lock (_using)
        {
            CheckCount(isNew: !_types.Contains(type));
            _types.Add(type);
        }
    }

    private void CheckCount(bool isNew)
    {
        lock (_using)
        {
            if (isNew && _types.Count == CountMax)
            {
                Throw.FormatLimit(
                    "ResolvedTypes",
                    $"SlimOptions.TypeResolver has given this serializer {CountMax} types, which is all that messages "
                    + "may bring in. Add the types that are really needed with Allow.");
            }
        }
    }

    private static void CheckNesting(string name)
    {
        var nesting = 0;
        foreach (var c in name)
        {
            nesting += c switch { '[' => 1, ']' => -1, _ => 0 };
            if (nesting > TypeNames.GenericNestingMax)
                TypeNames.ThrowTooNested();
        }
    }
}
