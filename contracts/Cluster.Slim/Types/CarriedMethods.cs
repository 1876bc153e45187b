using System.Collections.Frozen;

namespace Cluster.Slim.Types;

/// <summary>Finds the static methods of the types that the user opted in, by the text that names a method in messages.
/// No other method can be found. Immutable.</summary>
internal sealed class CarriedMethods
{
    private const BindingFlags Statics =
        BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly FrozenDictionary<string, MethodInfo> _methods;

    public CarriedMethods(IReadOnlyCollection<Type> types, PastNames[] history)
    {
        IsEmpty = types.Count == 0;
        MethodInfo[] methods = [.. types.SelectMany(static t => t.GetMethods(Statics)).Where(IsCarried)];
        var moments = history.Prepend(null);
        _methods = moments.SelectMany(past => methods.Select(m => KeyValuePair.Create(TextOf(m, past), m)))
            .DistinctBy(static p => p.Key).ToFrozenDictionary(StringComparer.Ordinal);
    }

    public bool IsEmpty { get; }

    public MethodInfo? Find(string text) => _methods.GetValueOrDefault(text);

    /// <summary>Returns the text of the method; null if the method is not on the list.</summary>
    public string? FindText(MethodInfo method)
    {
        var text = TextOf(method, null);
        return _methods.TryGetValue(text, out var known) && known.MethodHandle == method.MethodHandle
            ? text
            : null;
    }

    private static bool IsCarried(MethodInfo method) =>
        !method.IsGenericMethod && !method.GetParameters().Select(static p => p.ParameterType)
            .Append(method.ReturnType).Any(static t => t.IsPointer || t.IsFunctionPointer);

    // The signature is part of the text, because overloads are different methods.
    private static string TextOf(MethodInfo method, PastNames? past)
    {
        var parameters = method.GetParameters().Select(p => NameOf(p.ParameterType, past));
        return $"{NameOf(method.DeclaringType!, past)} {method.Name}({string.Join(";", parameters)})"
            + NameOf(method.ReturnType, past);
    }

    private static string NameOf(Type type, PastNames? past) =>
        type.IsByRef ? TypeNames.Of(type.GetElementType()!, past) + "&" : TypeNames.Of(type, past);
}
