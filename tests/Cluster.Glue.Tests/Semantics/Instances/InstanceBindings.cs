namespace Cluster.Glue.Tests.Semantics.Instances;

public sealed class InstancesOverLinkTests() : InstanceSemanticTests(SemanticBinding.Link());

public sealed class InstancesOverUnaryTests() : InstanceSemanticTests(SemanticBinding.Unary());

public sealed class InstancesInProcessTests() : InstanceSemanticTests(SemanticBinding.InProcess());

public sealed class InstancesInProcessSerializedTests() : InstanceSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class ReentranceOverLinkTests() : ReentranceSemanticTests(SemanticBinding.Link());

public sealed class ReentranceOverUnaryTests() : ReentranceSemanticTests(SemanticBinding.Unary());

public sealed class ReentranceInProcessTests() : ReentranceSemanticTests(SemanticBinding.InProcess());

public sealed class ReentranceInProcessSerializedTests()
    : ReentranceSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class ReentranceOverUnixSocketTests() : ReentranceSemanticTests(SemanticBinding.UnixSocket());

public sealed class ReentranceOverMutualTlsTests() : ReentranceSemanticTests(SemanticBinding.MutualTls());

public sealed class InstancesOverUnixSocketTests() : InstanceSemanticTests(SemanticBinding.UnixSocket());

public sealed class InstancesOverMutualTlsTests() : InstanceSemanticTests(SemanticBinding.MutualTls());
