using Cluster.Glue.Authorization;
using Cluster.Glue.Emission;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>A generic method on the serving side. It is closed over type arguments that a caller names, if all of them
/// are on the closed list and satisfy the constraints. Accepted forms are kept, up to the limit of the
/// process.</summary>
internal sealed class ServedGeneric(ServedContract owner, ContractMethod open, GenericForms forms)
{
    private readonly ConcurrentDictionary<string, ServedMethod> _closed = new(StringComparer.Ordinal);

    public ServedContract Owner => owner;

    public ContractMethod Open => open;

    /// <summary>Who may call its closed forms; null: everybody.</summary>
    public MethodAccess? Access { get; } = MethodAccess.Of(owner.Registration, open);

    public BindResult Close(string[] names)
    {
        var key = string.Join(';', names);
        return _closed.TryGetValue(key, out var known)
            ? BindResult.Accepted(known)
            : CloseCore(names, key);
    }

    private BindResult CloseCore(string[] names, string key)
    {
        var count = open.Method.GetGenericArguments().Length;
        if (names.Length != count)
            return Refuse($"{open.DisplayName} has {count} type parameters, {names.Length} arguments were named.");
        var types = new Type[count];
        for (var i = 0; i < count; i++)
        {
            if (owner.TypeArguments.Find(names[i]) is not { } type)
            {
                return Refuse(
                    $"{open.DisplayName} cannot be closed over {names[i]}: the type is not on this server's closed "
                    + $"list. {ClosedListText.Remedy}");
            }

            types[i] = type;
        }

        return Close(types, key);
    }

    private BindResult Close(Type[] types, string key)
    {
        try
        {
            var closed = open.Close(types);
            if (forms.Find(closed.Method, () => DispatcherEmitter.InvokerOf(owner.Description, closed))
                is not CallInvoker invoker)
            {
                return BindResult.Refused(
                    GlueErrorCode.GenericFormsLimit,
                    $"{closed.DisplayName} is refused: this process already serves {forms.CountMax} closed forms of "
                    + "generic methods, which is the limit because they are never unloaded.");
            }

            var method = new ServedMethod(owner, closed, invoker, owner.Serializer.FingerprintOf(closed));
            return BindResult.Accepted(_closed.GetOrAdd(key, method));
        }
        catch (Exception exception) when (exception is ArgumentException or NotSupportedException)
        {
            return Refuse($"{open.DisplayName} cannot be closed over {key}: {exception.Message}");
        }
    }

    private static BindResult Refuse(string reason) =>
        BindResult.Refused(GlueErrorCode.TypeArgumentRefused, reason);
}
