namespace Cluster.Glue.Tests.Semantics.ObjectGraphs;

public sealed class GraphsOverLinkTests() : GraphSemanticTests(SemanticBinding.Link());

public sealed class GraphsOverUnaryTests() : GraphSemanticTests(SemanticBinding.Unary());

public sealed class GraphsInProcessTests() : GraphSemanticTests(SemanticBinding.InProcess());

public sealed class GraphsInProcessSerializedTests() : GraphSemanticTests(SemanticBinding.InProcessSerialized());

public sealed class GraphsOverUnixSocketTests() : GraphSemanticTests(SemanticBinding.UnixSocket());

public sealed class GraphsOverMutualTlsTests() : GraphSemanticTests(SemanticBinding.MutualTls());
