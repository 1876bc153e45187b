using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>The serializer code that the compiler generates for Consul's messages. Consul's names are
/// Pascal-cased.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(TransactionOperation[]))]
[JsonSerializable(typeof(TransactionReply))]
[JsonSerializable(typeof(KeyValueEntry[]))]
[JsonSerializable(typeof(ConsulServiceRegistration))]
[JsonSerializable(typeof(SessionRequest))]
[JsonSerializable(typeof(SessionCreated))]
[JsonSerializable(typeof(CoordinatorNote))]
internal sealed partial class ConsulJson : JsonSerializerContext;
