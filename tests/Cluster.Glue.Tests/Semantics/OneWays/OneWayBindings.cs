namespace Cluster.Glue.Tests.Semantics.OneWays;

public sealed class OneWaysOverLinkTests() : OneWaySemanticTests(SemanticBinding.Link());

public sealed class OneWaysOverUnixSocketTests() : OneWaySemanticTests(SemanticBinding.UnixSocket());

public sealed class OneWaysOverMutualTlsTests() : OneWaySemanticTests(SemanticBinding.MutualTls());

public sealed class OneWaysOverUnaryTests() : OneWaySemanticTests(SemanticBinding.Unary());

public sealed class OneWaysInProcessTests() : OneWaySemanticTests(SemanticBinding.InProcess());

public sealed class OneWaysInProcessSerializedTests() : OneWaySemanticTests(SemanticBinding.InProcessSerialized());
