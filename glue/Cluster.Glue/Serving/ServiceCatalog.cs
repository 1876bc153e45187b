using System.Collections.Frozen;
using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Serving;

/// <summary>All contracts of one server, and the verdict on each method that a peer wants to call. Immutable.</summary>
internal sealed class ServiceCatalog
{
    private readonly FrozenDictionary<string, ServedContract> _contracts;
    private readonly FrozenDictionary<ulong, ServedMethod> _methods;
    private readonly FrozenDictionary<ulong, ServedGeneric> _generics;
    private readonly FrozenSet<ulong> _contractHashes;

    public ServiceCatalog(IEnumerable<ServiceRegistration> registrations, ServerSettings settings)
    {
        // The last registration of a contract counts, as everywhere in the container.
        _contracts = registrations
            .GroupBy(registration => registration.Contract)
            .Select(group => new ServedContract(group.Last(), settings))
            .ToFrozenDictionary(contract => contract.Description.Name, StringComparer.Ordinal);
        _contractHashes = _contracts.Values.Select(contract => contract.Description.NameHash).ToFrozenSet();
        _methods = _contracts.Values.SelectMany(contract => contract.Methods)
            .ToFrozenDictionary(method => method.Contract.SignatureHash);
        _generics = _contracts.Values.SelectMany(contract => contract.Generics)
            .ToFrozenDictionary(method => method.Open.SignatureHash);
    }

    public IEnumerable<ServedContract> Contracts => _contracts.Values;

    public MethodVerdict[] Judge(BindRequest request)
    {
        if (_contracts.TryGetValue(request.Contract, out ServedContract? contract))
            return Array.ConvertAll(request.Methods, method => Judge(contract, method));
        var unknown = MethodVerdict.Refused(
            GlueErrorCode.UnknownContract, $"This server does not offer the contract {request.Contract}.");
        return Array.ConvertAll(request.Methods, _ => unknown);
    }

    /// <summary>The verdict on a method that is named by its signature hash, as in unary calls.</summary>
    public MethodVerdict Judge(in Envelope request)
    {
        if (_methods.TryGetValue(request.Method, out ServedMethod? method))
            return JudgeLayout(method, request.LayoutFingerprint);
        if (_generics.TryGetValue(request.Method, out ServedGeneric? generic))
        {
            MethodVerdict closed = generic.Close(TypeArgumentNames.FromHeaders(request.Headers));
            return JudgeLayout(closed, request.LayoutFingerprint);
        }

        return _contractHashes.Contains(request.ContractHash)
            ? MethodVerdict.Refused(
                GlueErrorCode.UnknownMethod, $"This server offers no method with signature hash {request.Method:x16}.")
            : MethodVerdict.Refused(
                GlueErrorCode.UnknownContract,
                $"This server does not offer the contract with hash {request.ContractHash:x16}.");
    }

    /// <summary>The verdict on a method of a caller in this process.</summary>
    public MethodVerdict Judge(ClientMethod method)
    {
        if (_methods.TryGetValue(method.Contract.SignatureHash, out ServedMethod? served))
            return JudgeLayout(served, method.LayoutFingerprint);
        if (_generics.TryGetValue(method.Contract.SignatureHash, out ServedGeneric? generic))
            return JudgeLayout(generic.Close(method.TypeArguments), method.LayoutFingerprint);
        string contract = method.Owner.Description.Name;
        return _contracts.ContainsKey(contract)
            ? MethodVerdict.Refused(
                GlueErrorCode.UnknownMethod, $"This server offers no method {method.Contract.DisplayName}.")
            : MethodVerdict.Refused(
                GlueErrorCode.UnknownContract, $"This server does not offer the contract {contract}.");
    }

    private static MethodVerdict Judge(ServedContract contract, BindRequest.Method wanted)
    {
        bool isNameKnown = false;
        foreach (ServedMethod method in contract.Methods)
        {
            if (method.Contract.SignatureHash == wanted.SignatureHash)
                return JudgeLayout(method, wanted.LayoutFingerprint);
            isNameKnown |= method.Contract.Method.Name == wanted.Name;
        }

        foreach (ServedGeneric generic in contract.Generics)
        {
            if (generic.Open.SignatureHash == wanted.SignatureHash)
                return JudgeLayout(generic.Close(wanted.TypeArguments), wanted.LayoutFingerprint);
            isNameKnown |= generic.Open.Method.Name == wanted.Name;
        }

        string name = $"{contract.Description.Name}.{wanted.Name}";
        return isNameKnown
            ? MethodVerdict.Refused(
                GlueErrorCode.SignatureMismatch, $"{name} has other parameter or result types on this server.")
            : MethodVerdict.Refused(GlueErrorCode.UnknownMethod, $"This server offers no method {name}.");
    }

    private static MethodVerdict JudgeLayout(MethodVerdict closed, ulong fingerprint)
        => closed.Method is { } method ? JudgeLayout(method, fingerprint) : closed;

    private static MethodVerdict JudgeLayout(ServedMethod method, ulong fingerprint)
        => method.LayoutFingerprint == fingerprint
            ? MethodVerdict.Same(method)
            : MethodVerdict.Refused(
                GlueErrorCode.LayoutMismatch,
                $"A parameter or result type of {method.Contract.DisplayName} has another layout on this server.");
}
