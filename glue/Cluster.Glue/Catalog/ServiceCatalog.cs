using System.Collections.Frozen;
using Cluster.Glue.Client;
using Cluster.Glue.Filters;
using Cluster.Glue.Settings;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Catalog;

/// <summary>All contracts of one server, and the bind result of each method that a peer wants to call. Immutable but
/// for a table of bind results for callers in this process, which protects itself.</summary>
internal sealed class ServiceCatalog
{
    private readonly FrozenDictionary<string, ServedContract> _contracts;
    private readonly FrozenDictionary<ulong, ServedMethod> _methods;
    private readonly FrozenDictionary<ulong, ServedGeneric> _generics;
    private readonly FrozenDictionary<ulong, ServedContract> _byContractHash;
    private readonly ConditionalWeakTable<ClientMethod, StrongBox<BindResult>> _local = [];

    public ServiceCatalog(
        IEnumerable<ServiceRegistration> registrations, ServerSettings settings, FilterLevels filters)
    {
        // The last registration of a contract counts, as everywhere in the container.
        var contracts = registrations
            .GroupBy(registration => registration.Contract)
            .Select(group => new ServedContract(group.Last(), settings, filters))
            .ToArray();
        // A present name comes before a former name of another contract.
        _contracts = contracts.Select(contract => KeyValuePair.Create(contract.Description.Name, contract))
            .Concat(contracts.SelectMany(
                contract => contract.Description.Names.Select(name => KeyValuePair.Create(name, contract))))
            .DistinctBy(pair => pair.Key)
            .ToFrozenDictionary(StringComparer.Ordinal);
        _byContractHash = contracts.DistinctBy(contract => contract.Description.NameHash)
            .ToFrozenDictionary(contract => contract.Description.NameHash);
        _methods = ByHash(contracts.SelectMany(one => one.Methods), method => method.Contract.SignatureHashes);
        _generics = ByHash(contracts.SelectMany(one => one.Generics), method => method.Open.SignatureHashes);
    }

    public IEnumerable<ServedContract> Contracts => _contracts.Values.Distinct();

    public bool Offers(string contract) => _contracts.ContainsKey(contract);

    /// <summary>The bind results for methods of one contract.</summary>
    public static BindResult[] Judge(ServedContract contract, BindRequest request) =>
        Array.ConvertAll(request.Methods, method => Judge(contract, request, method));

    public BindResult[] Judge(BindRequest request, PeerAccess access)
    {
        foreach (var name in request.Contracts)
        {
            if (_contracts.TryGetValue(name, out var contract))
            {
                return contract.IsOpenTo(access)
                    ? Judge(contract, request)
                    : Array.ConvertAll(request.Methods, _ => RefuseStranger(contract, access));
            }
        }

        var unknown = BindResult.Refused(
            GlueErrorCode.UnknownContract,
            $"This server does not offer the contract {OfferText.NameOf(request.Contracts.FirstOrDefault())}. "
            + $"{OfferTo(access)}");
        return Array.ConvertAll(request.Methods, _ => unknown);
    }

    /// <summary>The bind result for a method that is named by its signature hash, as in unary calls.</summary>
    public BindResult Judge(in Envelope request, PeerAccess access)
    {
        if (_methods.TryGetValue(request.Method, out var method))
            return method.Owner.IsOpenTo(access) ? JudgeNamed(method, request) : RefuseStranger(method.Owner, access);
        if (_generics.TryGetValue(request.Method, out var generic))
        {
            if (!generic.Owner.IsOpenTo(access))
                return RefuseStranger(generic.Owner, access);
            var closed = generic.Close(TypeArgumentNames.FromHeaders(request.Headers));
            return closed.Method is null ? closed : JudgeNamed(closed.Method, request);
        }

        if (!_byContractHash.TryGetValue(request.ContractHash, out var contract))
        {
            return BindResult.Refused(
                GlueErrorCode.UnknownContract,
                $"This server does not offer the contract with hash {request.ContractHash:x16}. {OfferTo(access)}");
        }

        return contract.IsOpenTo(access)
            ? BindResult.Refused(
                GlueErrorCode.UnknownMethod,
                $"This server offers no method with signature hash {request.Method:x16} in "
                + $"{contract.Description.Name}. {OfferText.OfMethods(contract)}")
            : RefuseStranger(contract, access);
    }

    /// <summary>The bind result for a method that is called in this process.</summary>
    public BindResult Judge(ClientMethod method)
    {
        if (_methods.TryGetValue(method.Contract.SignatureHash, out var served)
            && served.LayoutFingerprint == method.LayoutFingerprint)
            return BindResult.Accepted(served);
        if (_local.TryGetValue(method, out var known))
            return known.Value;
        var bindResult = JudgeLocal(method);
        // There may be room for a closed form later, so this result is not kept.
        if (bindResult.Code != GlueErrorCode.GenericFormsLimit)
            _local.TryAdd(method, new StrongBox<BindResult>(bindResult));
        return bindResult;
    }

    private string OfferTo(PeerAccess access) =>
        OfferText.OfContracts(Contracts.Where(contract => contract.IsOpenTo(access)));

    private static FrozenDictionary<ulong, T> ByHash<T>(IEnumerable<T> methods, Func<T, ulong[]> hashesOf) =>
        methods.Select(method => KeyValuePair.Create(hashesOf(method)[0], method))
            .Concat(methods.SelectMany(method => hashesOf(method).Select(hash => KeyValuePair.Create(hash, method))))
            .DistinctBy(pair => pair.Key)
            .ToFrozenDictionary();

    private BindResult JudgeLocal(ClientMethod method)
    {
        var index = method.Contract.Index - method.Group.FirstMethodIndex;
        var bindResult = Judge(method.Group.Manifest, PeerAccess.Granted)[index];
        return bindResult.ToDifference(0) is { IsRefused: false } difference
            && method.LearnResult(difference.Result) is { } obstacle
                ? BindResult.Refused(GlueErrorCode.LayoutMismatch, obstacle)
                : bindResult;
    }

    // The refusal comes before any argument or type description is read.
    private static BindResult RefuseStranger(ServedContract contract, PeerAccess access) =>
        BindResult.Refused(
            GlueErrorCode.PeersOnly,
            $"{contract.Description.Name} is for peers only: " + access switch
            {
                PeerAccess.Unary => "a request of its own proves nothing. Use Transport Link with PeerIdentity.",
                PeerAccess.NoNodeRole => "the caller's certificate has not the role of a node (GlueRoles.Node) on "
                    + "this server. Map it by Glue:Server:Tls:Roles there, or show the certificate of a node.",
                PeerAccess.OtherListener => "it is served through PeerListenAddress of this server, use that address.",
                _ => "the caller has not proven a secret of this server. Set GlueClientOptions.PeerIdentity, and "
                    + "GlueServerOptions.PeerIdentity there.",
            });

    private static BindResult Judge(ServedContract contract, BindRequest request, BindRequest.Method wanted)
    {
        var isNameKnown = false;
        foreach (var method in contract.Methods)
        {
            if (method.Contract.SignatureHashes.Intersect(wanted.SignatureHashes).Any())
                return JudgeLayout(method, request, wanted);
            isNameKnown |= method.Contract.Method.Name == wanted.Name;
        }

        foreach (var generic in contract.Generics)
        {
            if (generic.Open.SignatureHashes.Intersect(wanted.SignatureHashes).Any())
            {
                var closed = generic.Close(wanted.TypeArguments);
                return closed.Method is null ? closed : JudgeLayout(closed.Method, request, wanted);
            }

            isNameKnown |= generic.Open.Method.Name == wanted.Name;
        }

        var name = $"{contract.Description.Name}.{OfferText.NameOf(wanted.Name)}";
        return isNameKnown
            ? BindResult.Refused(
                GlueErrorCode.SignatureMismatch,
                $"{name} has other parameter or result types on this server. "
                + $"{OfferText.OfOverloads(contract, wanted.Name)}")
            : BindResult.Refused(
                GlueErrorCode.UnknownMethod, $"This server offers no method {name}. {OfferText.OfMethods(contract)}");
    }

    private static BindResult JudgeLayout(ServedMethod method, BindRequest request, BindRequest.Method wanted)
    {
        if (method.LayoutFingerprint == wanted.LayoutFingerprint)
            return BindResult.Accepted(method);
        var at = 0;
        foreach (var type in method.Contract.ArgumentTypes)
        {
            var obstacle = at < wanted.Arguments.Length
                ? method.Owner.Serializer.FindObstacle(type, request.DescriptionOf(wanted.Arguments[at]))
                : "the caller does not describe it";
            at++;
            if (obstacle is not null)
            {
                return BindResult.Refused(
                    GlueErrorCode.LayoutMismatch,
                    $"Argument {at} of {method.Contract.DisplayName} cannot be read on this server: {obstacle}");
            }
        }

        return BindResult.Accepted(method.Describe());
    }

    /// <summary>The bind result for a method that a message names.</summary>
    public static BindResult JudgeNamed(ServedMethod method, in Envelope request)
    {
        if (method.LayoutFingerprint == request.LayoutFingerprint)
            return BindResult.Accepted(method);
        // The caller has asked for the differences before, and describes its types since.
        return HeaderBlock.Find(request.Headers, HeaderBlock.Described).IsEmpty
            ? BindResult.Refused(
                GlueErrorCode.LayoutMismatch,
                $"A parameter or result type of {method.Contract.DisplayName} has another layout on this server.")
            : BindResult.Accepted(method.Describe());
    }
}
