namespace Cluster.Glue.Tests.Semantics.Contexts;

public sealed class ContextsOverLinkTests() : ContextSemanticTests(SemanticBinding.Link());

public sealed class ContextsOverUnixSocketTests() : ContextSemanticTests(SemanticBinding.UnixSocket());

public sealed class ContextsOverMutualTlsTests() : ContextSemanticTests(SemanticBinding.MutualTls());

public sealed class ContextsOverUnaryTests() : ContextSemanticTests(SemanticBinding.Unary());

public sealed class ContextsInProcessTests() : ContextSemanticTests(SemanticBinding.InProcess());

public sealed class ContextsInProcessSerializedTests() : ContextSemanticTests(SemanticBinding.InProcessSerialized());
