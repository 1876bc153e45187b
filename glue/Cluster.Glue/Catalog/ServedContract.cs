using Cluster.Glue.Emission;
using Cluster.Glue.Filters;
using Cluster.Glue.Serving;
using Cluster.Glue.Settings;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Catalog;

/// <summary>A contract that this server offers: its serializer, its methods, and the source of its service objects.
/// Immutable but for the closed forms of generic methods, which protect themselves.</summary>
internal sealed class ServedContract
{
    private readonly Lazy<TypeArgumentList> _typeArguments;

    public ServedContract(ServiceRegistration registration, ServerSettings settings, FilterLevels? filters = null)
    {
        Filters = filters?.ForReceiving(registration.Filters);
        Registration = registration;
        Description = ContractDescription.Of(registration.Contract);
        Serializer = new ContractSerializer(Description, settings.MaxMessageBytes, settings.ConfigureTypes);
        _typeArguments = new Lazy<TypeArgumentList>(Serializer.NewTypeArgumentList);
        var invokers = DispatcherEmitter.InvokersOf(Description);
        Methods = Description.ClosedMethods
            .Select((method, at) => new ServedMethod(this, method, invokers[at], Serializer.FingerprintOf(method)))
            .ToArray();
        Instances = registration.HasInstances ? new InstanceTable(registration, Description.Name, settings) : null;
        Generics = Description.Methods
            .Where(method => method.IsOpen)
            .Select(method => new ServedGeneric(this, method, settings.GenericForms))
            .ToArray();
    }

    public ServiceRegistration Registration { get; }

    /// <summary>Whether its methods are called on objects that were passed by reference, not on a service.</summary>
    public bool IsCallback { get; init; }

    /// <summary>Whether a caller may call it.</summary>
    public bool IsOpenTo(PeerAccess access) =>
        Registration.Audience == GlueAudience.Everybody || access == PeerAccess.Granted;

    /// <summary>The filters of its calls; null: none.</summary>
    public FilterChains? Filters { get; }

    public ContractDescription Description { get; }

    public ContractSerializer Serializer { get; }

    public ServedMethod[] Methods { get; }

    /// <summary>The objects of a stateful service; null for other services.</summary>
    public InstanceTable? Instances { get; }

    public ServedGeneric[] Generics { get; }

    /// <summary>The types over which generic methods may be closed.</summary>
    public TypeArgumentList TypeArguments => _typeArguments.Value;
}
