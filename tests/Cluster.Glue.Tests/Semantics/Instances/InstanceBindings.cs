namespace Cluster.Glue.Tests.Semantics.Instances;

public sealed class InstancesOverLinkTests() : InstanceSemanticTests(SemanticBinding.Link());

public sealed class InstancesOverUnaryTests() : InstanceSemanticTests(SemanticBinding.Unary());

public sealed class InstancesInProcessTests() : InstanceSemanticTests(SemanticBinding.InProcess());

public sealed class InstancesInProcessSerializedTests() : InstanceSemanticTests(SemanticBinding.InProcessSerialized());
