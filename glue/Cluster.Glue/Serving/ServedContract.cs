using Cluster.Glue.Contracts;
using Cluster.Glue.Emission;

namespace Cluster.Glue.Serving;

/// <summary>
/// A contract that this server offers: serializer, methods and where its service objects come from. Immutable.
/// </summary>
internal sealed class ServedContract
{
    public ServedContract(ServiceRegistration registration, ServerSettings settings)
    {
        Registration = registration;
        Description = ContractDescription.Of(registration.Contract);
        Serializer = new ContractSerializer(Description, settings.MessageBytesMax, settings.ConfigureTypes);
        CallInvoker[] invokers = DispatcherEmitter.InvokersOf(Description);
        Methods = Array.ConvertAll(
            Description.Methods,
            method => new ServedMethod(this, method, invokers[method.Index], Serializer.FingerprintOf(method)));
    }

    public ServiceRegistration Registration { get; }

    public ContractDescription Description { get; }

    public ContractSerializer Serializer { get; }

    public ServedMethod[] Methods { get; }
}
